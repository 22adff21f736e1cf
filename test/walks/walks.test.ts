import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fastLayer } from './fast-layer';
import { type Layer, realLayer } from './layer';
import { replayCompared, type Walk, walks } from './walk';
import { stopBackends } from './world';

const corpus = join(__dirname, 'corpus');
let layer: Layer;
beforeAll(async () => {
  layer = await realLayer();
});
afterAll(async () => {
  layer.close();
  await stopBackends();
});

it.each(readdirSync(corpus).filter((name) => name.endsWith('.json')))(
  'keeps to the model in the walk %s',
  (name) => {
    const walk: Walk = JSON.parse(readFileSync(join(corpus, name), 'utf8'));
    return replayCompared(walk, layer, fastLayer);
  },
  300_000,
);

it('keeps to the model in any walk over the whole tool', async () => {
  const fast = fastLayer();
  try {
    // always the same walks: `npm run walks` generates others, and runs them with the real Terraform too
    await fc.assert(walks(fast), { numRuns: 60, seed: 28, endOnFailure: true });
  } finally {
    fast.close();
  }
}, 300_000);

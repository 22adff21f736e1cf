import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fastLayer } from './fast-layer';
import { type Layer, realLayer } from './layer';
import { comparedWalks, replayCompared, type Walk } from './walk';
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
  await fc.assert(comparedWalks(layer, fastLayer), {
    numRuns: 20,
    // always the same walks: `npm run walks` generates others
    seed: 28,
    interruptAfterTimeLimit: 60_000,
    endOnFailure: true,
  });
}, 300_000);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Layer, realLayer } from './layer';
import { replay, type Walk, walks } from './walk';
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
  (name) => replay(JSON.parse(readFileSync(join(corpus, name), 'utf8')) as Walk, layer),
  120_000,
);

it('keeps to the model in any walk over the whole tool', async () => {
  await fc.assert(walks(layer), {
    numRuns: 20,
    // the same walks each time: `npm run walks` makes others
    seed: 28,
    interruptAfterTimeLimit: 60_000,
    endOnFailure: true,
  });
}, 120_000);

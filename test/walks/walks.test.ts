import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fastLayer } from './fast-layer';
import { type Layer, realLayer } from './layer';
import { listWalks } from './list-walk';
import { type Action, replay, type Walk, walks } from './walk';
import { stopBackends } from './world';

/** Whether the result is independent of the speed of Terraform and the number of its locks. */
function isTimeless(action: Action): boolean {
  if (action.do !== 'tool') return true;
  const { fault, twice } = action;
  const timed = ['interrupt', 'disk-full', 'locked', 'lock-lost'];
  return twice !== true && !timed.includes(fault?.kind ?? '');
}

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
  'keeps to the model in the walk %s, with the same result in both layers',
  async (name) => {
    const walk: Walk = JSON.parse(readFileSync(join(corpus, name), 'utf8'));
    const way = await replay(walk, layer);
    if (!walk.actions.every(isTimeless)) return;
    const fast = fastLayer();
    try {
      expect(await replay(walk, fast)).toEqual(way);
    } finally {
      fast.close();
    }
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

it('leads from each printed command to the end in any walk over a list of zones', async () => {
  const fast = fastLayer();
  try {
    await fc.assert(listWalks(fast), { numRuns: 12, seed: 28, endOnFailure: true });
  } finally {
    fast.close();
  }
}, 300_000);

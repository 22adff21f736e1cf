import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { fastLayer } from './fast-layer';
import { realLayer } from './layer';
import { type ListWalk, listWalks, walkList } from './list-walk';
import { replay, tally, type Walk, walks } from './walk';
import { stopBackends } from './world';

/**
 * Runs the given number of walks and a tenth as many over lists, or one from a file:
 * `tsx test/walks/run.ts --walk found.json`. Prints the first walk that breaks a rule, shrunk.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '100' },
      seed: { type: 'string' },
      fast: { type: 'boolean', default: false },
      unshrunk: { type: 'boolean', default: false },
      walk: { type: 'string' },
    },
  });
  const layer = values.fast ? fastLayer() : await realLayer();
  try {
    if (values.walk !== undefined) {
      const walk: Walk | ListWalk = JSON.parse(readFileSync(values.walk, 'utf8'));
      await ('listed' in walk ? walkList(walk, layer) : replay(walk, layer));
      return;
    }
    const check = <Ts>(property: fc.IAsyncProperty<Ts>, numRuns: number) =>
      fc.check(property, {
        numRuns,
        endOnFailure: values.unshrunk,
        ...(values.seed !== undefined && { seed: Number(values.seed) }),
      });
    const runs = Number(values.runs);
    const ofOne = await check(walks(layer), runs);
    const details = ofOne.failed ? ofOne : await check(listWalks(layer), Math.ceil(runs / 10));
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    if (!details.failed) return;
    process.exitCode = 1;
    const error = details.errorInstance;
    const told = error instanceof Error ? error.message : String(error);
    process.stdout.write(
      `seed ${details.seed}, path ${details.counterexamplePath ?? ''}\n${told}\n`,
    );
  } finally {
    layer.close();
    await stopBackends();
  }
}

void main();

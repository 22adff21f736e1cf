import { execFileSync } from 'node:child_process';
import { benchApply } from './apply';
import { benchBlocks } from './blocks';
import { benchFleet } from './fleet';
import { benchGrowth } from './growth';
import { withLargeStates } from './large-state';
import { benchManyZones } from './many-zones';
import { type Row, sized } from './measure';
import { benchPlan } from './plan';
import { benchReview } from './review';
import { benchRequests } from './requests';
import { benchStartUp } from './start-up';
import { benchReading } from './state';
import { benchSynth } from './synth';
import { benchTranslate } from './translate';

/** Ratios of one run on one machine, because milliseconds are not comparable between machines. */
function renderTable(rows: readonly Row[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const lines = rows.map(({ name, ratio, limit, measured }) => {
    const pass = ratio <= limit ? 'yes' : '**no**';
    return `| ${name} | ${ratio.toFixed(2)} | ${limit} | ${pass} | ${measured} | ${commit} |`;
  });
  const head = ['| what | ratio | limit | pass | measured | commit |', '|---|--:|--:|---|--:|---|'];
  return [...head, ...lines].join('\n');
}

/** The benches by name: `npm run bench -- plan fleet`; by default all. */
const benches: Record<string, () => Row[] | Promise<Row[]>> = {
  'start-up': benchStartUp,
  blocks: benchBlocks,
  fleet: benchFleet,
  synth: benchSynth,
  translate: benchTranslate,
  requests: benchRequests,
  'many-zones': benchManyZones,
  apply: benchApply,
  state: () => withLargeStates(benchReading),
  plan: () => withLargeStates(benchPlan),
  review: benchReview,
  growth: benchGrowth,
};

async function main(): Promise<void> {
  const asked = process.argv.slice(2).filter((name) => name !== '--tiny');
  const unknown = asked.find((name) => !(name in benches));
  if (unknown !== undefined) {
    throw new Error(`no bench is called ${unknown}; there are ${Object.keys(benches).join(', ')}`);
  }
  const rows: Row[] = [];
  for (const [name, bench] of Object.entries(benches)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.error(`measuring ${name}`);
    rows.push(...(await bench()));
  }
  console.log(renderTable(rows));
  // NaN counts as a failure.
  if (
    !sized(
      rows.every(({ ratio, limit }) => ratio <= limit),
      true,
    )
  )
    process.exitCode = 1;
}

void main();

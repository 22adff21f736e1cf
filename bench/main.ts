import { benchApply } from './apply';
import { benchBlocks } from './blocks';
import { benchFilters } from './filters';
import { benchFleet } from './fleet';
import { withLargeStates } from './large-state';
import { benchManyZones } from './many-zones';
import { type Row } from './measure';
import { benchPlan } from './plan';
import { benchReview } from './review';
import { benchRequests } from './requests';
import { benchStartUp } from './start-up';
import { benchReading } from './state';
import { benchSynth } from './synth';
import { benchTranslate } from './translate';

/** Ratios of one run on one machine: milliseconds say nothing about another. */
function renderTable(rows: readonly Row[]): string {
  const lines = rows.map(({ name, ratio, limit, measured }) => {
    const pass = ratio <= limit ? 'yes' : '**no**';
    return `| ${name} | ${ratio.toFixed(2)} | ${limit} | ${pass} | ${measured} |`;
  });
  return ['| what | ratio | limit | pass | measured |', '|---|--:|--:|---|--:|', ...lines].join(
    '\n',
  );
}

async function main(): Promise<void> {
  const rows = [
    ...benchStartUp(),
    ...(await benchBlocks()),
    ...(await benchFilters()),
    ...(await benchFleet()),
    ...benchSynth(),
    ...(await benchTranslate()),
    ...(await benchRequests()),
    ...benchManyZones(),
    ...(await benchApply()),
    ...(await withLargeStates(async (fileOf) => [
      ...(await benchReading(fileOf)),
      ...benchPlan(fileOf),
    ])),
    ...benchReview(),
  ];
  console.log(renderTable(rows));
  // NaN is no pass either.
  if (!rows.every(({ ratio, limit }) => ratio <= limit)) process.exitCode = 1;
}

void main();

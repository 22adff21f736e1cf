import { createProgress } from '../../src/cli/progress';
import { type ZoneOutcome } from '../../src/fleet/run-fleet';

const outcome: ZoneOutcome = {
  zone: 'f'.repeat(32),
  name: 'shop.example.com',
  outcome: 'done',
  line: 'may migrate',
  result: {},
  earlier: false,
};

/** A run whose clock moves by hand, and what it says. */
function runOf(total: number, terminal = true, environment: Readonly<Record<string, string>> = {}) {
  let time = 0;
  const said: string[] = [];
  const progress = createProgress(
    {},
    {
      stderr: (text) => said.push(text),
      terminals: { stdout: terminal, stderr: terminal },
      environment,
    },
    total,
    () => time,
  );
  return {
    said,
    last: () =>
      said
        .at(-1)!
        .replace('\r\u001b[K', '')
        .replace(/^[█░]+ /u, ''),
    /** Does zones: so many milliseconds for each. */
    do: (zones: number, milliseconds: number, earlier = false) => {
      for (let zone = 0; zone < zones; zone += 1) {
        time += milliseconds;
        progress.tell({ ...outcome, earlier });
      }
    },
  };
}

describe('the time that is left', () => {
  it('is that of the zones so far', () => {
    const run = runOf(100);
    expect(run.last()).toBe('0/100 zones');
    run.do(10, 2_000);
    expect(run.last()).toBe('10/100 zones 3 min left');
  });

  it('does not count the zones of an earlier run', () => {
    const run = runOf(100);
    run.do(50, 0, true);
    expect(run.last()).toBe('50/100 zones');
    run.do(10, 1_000);
    expect(run.last()).toBe('60/100 zones 40 s left');
  });
});

it.each([
  ['nobody looks at a terminal', false, {}],
  ['the terminal knows lines alone', true, { TERM: 'dumb' }],
  ['CI gives it a terminal', true, { CI: '1' }],
])('a line a zone is written where %s', (_, terminal, environment) => {
  const run = runOf(1600, terminal, environment);
  run.do(1, 10);
  expect(run.said).toEqual([
    `[   1/1600] shop.example.com (${'f'.repeat(32)}): done: may migrate\n`,
  ]);
});

import { createRateLimiter } from '../../src/cloudflare/rate-limiter';
import { createProgress } from '../../src/cli/fleet/progress';
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
function runOf(
  total: number,
  pace: { requests?: number; pause?: number; toDo?: number } = {},
  terminal = true,
  environment: Readonly<Record<string, string>> = {},
) {
  let time = 0;
  const said: string[] = [];
  const limiter = createRateLimiter({ now: () => time });
  const progress = createProgress(
    {},
    {
      stderr: (text) => said.push(text),
      terminals: { stdout: terminal, stderr: terminal },
      environment,
    },
    total,
    {
      limiter,
      requests: pace.requests,
      ...(pace.toDo === undefined ? {} : { toDo: pace.toDo }),
      ...(pace.pause === undefined ? {} : { pauses: (left) => (left / 10) * pace.pause! }),
    },
    () => time,
  );
  return {
    said,
    last: () =>
      said
        .at(-1)!
        .replace('\r\u001b[K', '')
        .replace(/^[█░]+ /u, ''),
    /** Does zones: so many requests and milliseconds for each. */
    do: async (zones: number, requests: number, milliseconds: number, earlier = false) => {
      for (let zone = 0; zone < zones; zone += 1) {
        for (let request = 0; request < requests; request += 1) await limiter.take();
        time += milliseconds;
        progress.tell({ ...outcome, earlier });
      }
    },
  };
}

describe('the time that is left', () => {
  it('is said before the first zone, where the limit of requests alone takes it', () => {
    // 1,600 zones of three requests: four windows of 1,200, the first of which is free
    expect(runOf(1600, { requests: 3 }).last()).toBe('0/1600 zones 16 min left');
    expect(runOf(400, { requests: 3 }).last()).toBe('0/400 zones');
    expect(runOf(400).last()).toBe('0/400 zones');
  });

  it('is no less than the limit of requests allows, however fast the first zones are', async () => {
    const run = runOf(1000);
    await run.do(100, 3, 10);
    // 2,700 requests are left, 900 of which may go at once: two windows more
    expect(run.last()).toBe('100/1000 zones 11 min left');
  });

  it('is that of the zones so far where these are slow', async () => {
    const run = runOf(100, { requests: 1 });
    await run.do(10, 1, 2_000);
    expect(run.last()).toBe('10/100 zones 3 min left');
  });

  it('counts neither the zones of an earlier run nor their requests', async () => {
    const run = runOf(100, { toDo: 50 });
    await run.do(50, 0, 0, true);
    expect(run.last()).toBe('50/100 zones');
    await run.do(10, 1, 1_000);
    expect(run.last()).toBe('60/100 zones 40 s left');
  });

  it('is of what an earlier run has left, before these are told as well', () => {
    const run = runOf(1600, { requests: 3, toDo: 1000 }, false);
    expect(run.said).toEqual(['1000 zones: the limit of requests and the pauses take 11 min\n']);
    expect(runOf(1600, { requests: 3, toDo: 400 }, false).said).toEqual([]);
  });

  it('holds the pauses between waves', async () => {
    const run = runOf(100, { pause: 60_000 });
    expect(run.last()).toBe('0/100 zones 10 min left');
    await run.do(50, 1, 10);
    expect(run.last()).toBe('50/100 zones 5 min left');
  });

  it.each([
    ['nobody looks at a terminal', false, {}],
    ['the terminal knows lines alone', true, { TERM: 'dumb' }],
    ['CI gives it a terminal', true, { CI: '1' }],
  ])('is said once where %s, and a line a zone follows', async (_, terminal, environment) => {
    const run = runOf(1600, { requests: 3 }, terminal, environment);
    await run.do(1, 3, 10);
    expect(run.said).toEqual([
      '1600 zones: the limit of requests and the pauses take 16 min\n',
      `[   1/1600] shop.example.com (${'f'.repeat(32)}): done: may migrate\n`,
    ]);
  });
});

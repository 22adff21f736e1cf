import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { ENTERPRISE } from '../support/zones';
import { seen } from '../support/over-emulator';

let lab: CliLab;
/** Milliseconds that the service's clock is behind ours. */
let behind: number;
beforeEach(async () => {
  behind = 0;
  lab = await CliLab.of('enterprise', () => new Date(Date.now() - behind));
  await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --log-only --json`);
  lab.emulator.clearRequests();
});
afterEach(() => lab.emulator.stop());

const send = (count: number) =>
  lab.emulator.sendTraffic({
    zone: ENTERPRISE,
    requests: Array.from({ length: count }, (_, index) => ({
      path: `/wp-json/wp/v2/users/${index}`,
    })),
  });
const review = async (line = '') =>
  lab.cli(`review --zone ${ENTERPRISE} --since 1h --json ${line}`.trim());
const queries = () => seen(lab.emulator).filter((line) => line === 'POST /graphql').length;

test('events come from the service, with the configuration, names and tags of the zone', async () => {
  send(12);
  const run = await review('--propose p.json');
  expect(run.stderr).toBe('');
  expect(run.code).toBe(2);
  expect(jsonOf(run)).toMatchObject({
    requests: 12,
    sampled: 0,
    classes: { 'only-new': 12 },
    intake: { events: 12 },
    rules: [{ change: 'newly-blocked', ruleset: 'Cloudflare Managed Ruleset', requests: 12 }],
  });
  expect(queries()).toBe(2);
});

test('page by page, each event once, however many fall into one second', async () => {
  behind = 5_000;
  send(9);
  behind = 0;
  send(9);
  lab.emulator.setFaults([{ kind: 'small-pages', size: 12 }]);
  const result = jsonOf(await review());
  expect(result).toMatchObject({ requests: 18, intake: { events: 18 } });
  expect(queries()).toBeGreaterThan(2);
});

test('more events in one second than a page takes: the rest is missing, and that is said', async () => {
  send(9);
  lab.emulator.setFaults([{ kind: 'small-pages', size: 4 }]);
  const { findings, requests } = jsonOf(await review());
  expect(requests).toBeLessThan(9);
  expect(findings.map(({ code }: any) => code)).toContain('PAGES_OVERFULL');
});

test('a span of several days is asked for in parts that the service grants', async () => {
  send(1);
  expect(jsonOf(await review('--since 3d')).requests).toBe(1);
  expect(queries()).toBe(1 + 4);
});

test('a zone without events is said to have none since then, and no file is named', async () => {
  const error = errorOf(await review());
  expect(error).toMatchObject({ code: 'EVENTS_MISSING' });
  expect(error.message).toMatch(
    new RegExp(`^zone ${ENTERPRISE} has no security event from 2\\S+Z to 2\\S+Z$`),
  );
  expect(error.hint).toContain('--since');
});

test('an outage that passes is survived: a query changes nothing', async () => {
  send(1);
  lab.emulator.setFaults([{ kind: 'status', status: 503, path: '/graphql', times: 1 }]);
  expect(jsonOf(await review()).requests).toBe(1);
});

test('a refusal has the words of the service', async () => {
  const run = await lab.cli(`review --zone ${'f'.repeat(32)} --since 1h --json`);
  expect(run.code).toBe(1);
  expect(errorOf(run).code).toBe('API_UNAUTHORIZED');
  expect(errorOf(await review()).code).toBe('EVENTS_MISSING');
});

test.each([
  ['', '--events'],
  ['--since 1h', '--zone'],
  [`--zone ${ENTERPRISE} --since yesterday`, 'is not a duration'],
  [`--zone ${ENTERPRISE} --since 1h --events a`, 'one of'],
  [`--zone x --since 1h`, 'hexadecimal digits'],
])('usage: review %s', async (line, words) => {
  const run = await lab.cli(`review --json ${line}`.trim());
  expect(run.code).toBe(64);
  expect(errorOf(run).message).toContain(words);
});

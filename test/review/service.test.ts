import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import enterprise from '../../src/emulator/scenarios/enterprise.json';
import { closeAfterTest } from '../support/close-after-test';
import { ENTERPRISE } from '../support/zones';
import { seen } from '../support/over-emulator';

let lab: CliLab;

const MINUTE = 60;

/** A zone in validation mode for some minutes with events, each with its age in seconds. */
async function given(...ages: number[]): Promise<void> {
  return validating(90 * 24 * 60, ...ages);
}

async function validating(minutes: number, ...ages: number[]): Promise<void> {
  const events = ages.map((age, index) => ({
    ...{ rayName: `r${index}`, source: 'firewallManaged', action: 'log' },
    ...{ ruleId: 'bba3d37891a440fb8bc95b970cbd9abc', clientRequestPath: `/wp-json/${index}` },
    datetime: `${new Date(Date.now() - age * 1000).toISOString().slice(0, 19)}Z`,
  }));
  const zones = enterprise.zones.map((zone) => ({ ...zone, events }));
  const changed = new Date(Date.now() - minutes * MINUTE * 1000);
  lab = await CliLab.of({ ...enterprise, zones }, () => changed);
  closeAfterTest(() => lab.emulator.stop());
  await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --log-only --json`);
  lab.emulator.clearRequests();
}
const times = (count: number, age: number): number[] => Array<number>(count).fill(age);

const review = async (line = '') =>
  lab.cli(`review --zone ${ENTERPRISE} --since 1h --json ${line}`.trim());
const queries = () => seen(lab.emulator).filter((line) => line === 'POST /graphql').length;

test('reads events from the API, with the configuration, names and tags of the zone', async () => {
  await given(...times(12, 1));
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
  const { stdout } = await lab.cli(`review --zone ${ENTERPRISE} --since 1h`);
  expect(stdout).toContain('from 12 requests, read from the Cloudflare API.');
  lab.save('p.json', {});
  const { code, hint } = errorOf(await review('--propose p.json'));
  expect([code, hint]).toEqual([
    'FILE_EXISTS',
    'pass --force to overwrite it, or another --propose',
  ]);
});

test('reads page by page, each event once', async () => {
  await given(...times(9, 5), ...times(9, 1));
  lab.emulator.setFaults([{ kind: 'small-pages', size: 12 }]);
  const result = jsonOf(await review());
  expect(result).toMatchObject({ requests: 18, intake: { events: 18 } });
  expect(queries()).toBeGreaterThan(2);
});

test('refuses more events in one second than a page can have', async () => {
  await given(...times(9, 1));
  lab.emulator.setFaults([{ kind: 'small-pages', size: 4 }]);
  const error = errorOf(await review());
  expect(error.message).toContain('one second has 4 events or more');
  expect(error.hint).toContain('--events');
});

test('requests a span of several days in the parts that the API allows', async () => {
  await given(1);
  const run = await lab.cli(`review --zone ${ENTERPRISE} --since 3d --json`);
  expect(jsonOf(run).requests).toBe(1);
  expect(queries()).toBe(1 + 4);
});

test('reports that a zone has no events since then', async () => {
  await given();
  const error = errorOf(await review());
  expect(error).toMatchObject({ code: 'EVENTS_MISSING' });
  expect(error.message).toMatch(
    new RegExp(`^zone ${ENTERPRISE} has no security event from 2\\S+Z to 2\\S+Z$`),
  );
  expect(error.hint).toMatch(/^wait until a WAF has handled requests, or .* --since/);
});

test('does not count events from before the last change of the new WAF', async () => {
  await validating(30, ...times(3, 40 * MINUTE), ...times(2, 20 * MINUTE));
  const { requests, findings } = jsonOf(await review());
  expect(requests).toBe(2);
  const found = findings.find(({ code }: any) => code === 'EARLIER_EVENTS_NOT_COUNTED');
  expect(found).toMatchObject({ severity: 'info', subject: expect.stringMatching(/^2\S+Z$/) });
  const recent = jsonOf(await lab.cli(`review --zone ${ENTERPRISE} --since 25m --json`));
  expect(recent.requests).toBe(2);
  expect(JSON.stringify(recent.findings)).not.toContain('EARLIER_EVENTS');
});

test('names what to wait for if all events are from before the last change', async () => {
  await validating(30, 40 * MINUTE);
  expect(errorOf(await review())).toMatchObject({
    code: 'EVENTS_MISSING',
    hint: expect.stringContaining('events before the last change of the new WAF are not counted'),
  });
});

test('fails for an unknown zone, and for a zone without events', async () => {
  await given();
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
  await given();
  const run = await lab.cli(`review --json ${line}`.trim());
  expect(run.code).toBe(64);
  expect(errorOf(run).message).toContain(words);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliLab, jsonOf } from '../support/cli-lab';
import { nextCommands } from '../support/next-commands';
import { ENTERPRISE } from '../support/zones';
import { dayOfEvents } from './support/day-of-events';
import { event, lines, sample } from './support/event-files';
import { type RawEvent } from './support/reference';
import { deploying } from './support/review-of';

let lab: CliLab;
beforeEach(async () => {
  lab = await CliLab.of('enterprise');
  await lab.config();
});
afterEach(() => lab.emulator.stop());

const log = (name: string, mode: Parameters<typeof dayOfEvents>[0]): void => {
  writeFileSync(join(lab.cwd, name), dayOfEvents(mode));
};

test('[S82, S83] validation, events, review, proposal, second validation, finish: the effect is as promised', async () => {
  const validate = `start-validation --zone ${ENTERPRISE} --yes --log-only --json`;
  expect((await lab.cli(validate)).code).toBe(0);
  log('first.ndjson', 'log-only');
  const first = await lab.cli(
    'review --events first.ndjson --config config.json --propose proposal.json --json',
  );
  expect(first.code).toBe(2);
  const before = jsonOf(first);
  lab.save('first.json', before);
  expect(before).toMatchObject({
    undecidable: 0,
    classes: { 'both-act': 15, 'only-new': 10, 'only-legacy': 2, 'stopped-before': 1 },
    proposal: {
      promise: { newlyBlocked: { before: 10, after: 0 } },
      notProposed: [{ requests: 2 }],
    },
  });
  const kinds = before.proposal.changes.map(({ kind, evidence }: any) => [kind, evidence.requests]);
  expect(kinds).toEqual([
    ['log', 6],
    ['skip', 4],
  ]);

  const stack = await lab.cli(
    `generate --zone ${ENTERPRISE} --config proposal.json --format tfjson --out stack --json`,
  );
  expect([stack.code, stack.stderr]).toEqual([0, '']);
  const resources = JSON.stringify(JSON.parse(lab.read(`stack/${generated(stack)}`)));
  expect(resources).toContain('/api/index.php/v1/config');

  expect((await lab.cli(`${validate} --config proposal.json`)).code).toBe(0);
  log('second.ndjson', 'proposed');
  const second = await lab.cli(
    'review --events second.ndjson --config proposal.json --baseline first.json --json --out second.json',
  );
  expect(JSON.parse(lab.read('second.json'))).toEqual(jsonOf(second));
  const after = jsonOf(second);
  expect(after.classes).toMatchObject({ 'both-act': 15, 'only-new': 6, 'only-legacy': 2 });
  expect(after.rules.map(({ change, requests }: any) => [change, requests])).toEqual([
    ['no-longer-blocked', 2],
    ['newly-logged', 6],
  ]);
  expect(after.effect.promise).toEqual({ promised: 0, actual: 0, kept: true });
  expect(after.effect.classes['only-new']).toMatchObject({ before: 10, after: 6 });
  const line = `review --events second.ndjson --zone ${ENTERPRISE} --config proposal.json`;
  const again = await lab.cli(`${line} --propose again.json`);
  expect(again.stdout).toContain('Proposed: 0 changes.');
  expect(again.stdout).toMatch(
    new RegExp(
      `when .*:\\n {2}cf-waf-migrate finish --zone ${ENTERPRISE} --config proposal.json\\n$`,
    ),
  );

  const finish = `finish --zone ${ENTERPRISE} --config proposal.json --confirm shop.example.com`;
  expect((await lab.cli(finish)).stderr).toContain('MIGRATION_CONFIG_CHANGED');
  expect((await lab.cli(`${finish} --accept MIGRATION_CONFIG_CHANGED`)).code).toBe(0);
});

const generated = (run: Parameters<typeof jsonOf>[0]): string =>
  jsonOf(run)
    .files.map((file: string) => file.replace(/^stack\//, ''))
    .find((file: string) => !file.includes('providers'));

test('shows whether rules only log, and each next command keeps the configuration', async () => {
  const validate = `start-validation --zone ${ENTERPRISE} --yes --config config.json`;
  const enforced = await lab.cli(validate);
  expect(enforced.stderr).toMatch(/^ {2}on {2}Cloudflare Managed Ruleset$/m);
  expect(enforced.stdout).toContain(
    'Wait 6 hours, then run `review`. `review --since` counts only events from now on; from Logpush, pass only files from now on.',
  );
  expect(enforced.stdout).toContain(`review --zone ${ENTERPRISE} --since 6h --config config.json`);
  const logged = await lab.cli(`${validate} --log-only`);
  expect(logged.stderr).toMatch(/^ {2}log Cloudflare Managed Ruleset$/m);
  expect(logged.stderr).not.toContain('on  Cloudflare');
  log('first.ndjson', 'log-only');
  const review = `review --events first.ndjson --zone ${ENTERPRISE} --config config.json`;
  expect((await lab.cli(review)).stdout).toMatch(/ --propose proposal\.json\n$/);
  writeFileSync(join(lab.cwd, 'proposal.json'), '{}');
  expect((await lab.cli(review)).stdout).toMatch(/ --propose proposal_2\.json\n$/);
  expect((await lab.cli(`${review} --propose p.json`)).stdout).toContain(
    `start-validation --zone ${ENTERPRISE} --config p.json --log-only`,
  );
  writeFileSync(join(lab.cwd, 'alike.ndjson'), lines(sample.slice(2, 4)));
  expect((await lab.cli(review.replace('first', 'alike'))).stdout).toContain(
    `finish --zone ${ENTERPRISE} --config config.json`,
  );
  const alike = `${review.replace('first', 'alike')} --propose none.json`;
  expect((await lab.cli(alike)).stdout).toMatch(/\n\nNext:\n.* finish .*\n$/);
  // without a file, `finish` would keep the rules that only log
  const refused = await lab.cli(`finish --zone ${ENTERPRISE} --confirm shop.example.com`);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('STANDING_RULE_DIFFERS'),
  ]);
});

test('the next command writes the same file again, with the proposal', async () => {
  log('first.ndjson', 'log-only');
  const line = `review --events first.ndjson --config config.json --out r.html --format html`;
  const { stdout } = await lab.cli(`${line} --zone ${ENTERPRISE}`);
  const [, next = ''] = /\n\nNext:\n {2}cf-waf-migrate (.*)\n$/.exec(stdout) ?? [];
  expect(next).toMatch(/ --propose proposal\.json --force$/);
  expect((await lab.cli(next)).code).toBe(2);
  expect(lab.read('r.html')).toContain('2 changes proposed');
  expect((await lab.cli(`${line} --zone ${ENTERPRISE} --force`)).stdout).toMatch(
    / --propose proposal_2\.json\n$/,
  );
});

test('without --log-only, the new WAF hides the legacy one, and the review proposes --log-only', async () => {
  await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --json`);
  log('hidden.ndjson', 'enforced');
  const run = jsonOf(await lab.cli('review --events hidden.ndjson --config config.json --json'));
  expect(run.undecidable).toBe(25);
  expect(run.classes).toMatchObject({ 'only-new': 0, 'only-legacy': 2 });
  const [advice] = run.findings.filter(({ code }: any) => code === 'LEGACY_WAF_HIDDEN');
  expect(advice.remedy).toContain('start-validation --zone <id> --log-only');
});

test('with more blocked requests than the baseline promised, the promise is not kept', async () => {
  await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --log-only --json`);
  log('first.ndjson', 'log-only');
  const line = 'review --events first.ndjson --config config.json';
  const proposed = jsonOf(await lab.cli(`${line} --propose proposal.json --json`));
  lab.save('first.json', proposed);
  const { effect } = jsonOf(await lab.cli(`${line} --baseline first.json --json`));
  expect(effect.promise).toMatchObject({ promised: 0, kept: false });
  for (const format of ['text', 'markdown', 'html']) {
    const { stdout } = await lab.cli(`${line} --baseline first.json --format ${format}`);
    expect(stdout).toContain('newly blocked: promised at most 0 %, seen 35.71 %: not kept');
    expect(stdout).toMatch(/only the new WAF acts: 10 \(35\.71 %\) → 10 \(35\.71 %\)/);
  }
});

test('a proposal needs the configuration, and a baseline is a review: both before it reads events', async () => {
  const error = async (line: string) =>
    JSON.parse((await lab.cli(`review --events missing --json ${line}`)).stderr).error.code;
  expect(await error('--propose p.json')).toBe('PROPOSAL_IMPOSSIBLE');
  expect(await error('--baseline config.json')).toBe('REVIEW_BASELINE_INVALID');
});

test('names no command that reads the events of standard input again, and a zone where it is unknown', async () => {
  const line = 'review --config config.json --events';
  const stdin = dayOfEvents('log-only');
  const piped = await lab.cli(`${line} -`, { stdin: Buffer.from(stdin) });
  expect(piped.code).toBe(2);
  expect(
    piped.stdout.endsWith(
      '\n\nNext: review the same events again, with --propose proposal.json.\n',
    ),
  ).toBe(true);
  log('first.ndjson', 'log-only');
  const proposed = await lab.cli(`${line} first.ndjson --propose proposal.json`);
  const next = 'cf-waf-migrate start-validation --zone <zone> --config proposal.json --log-only';
  expect(proposed.stdout.endsWith(`\n\nNext:\n  ${next}\n`)).toBe(true);
  const bare = await lab.cli('review --events first.ndjson');
  expect(nextCommands(bare.stdout)).toEqual([
    'cf-waf-migrate review --events first.ndjson --zone <zone> --propose proposal_2.json',
  ]);
});

test('requests that are only logged are no difference: finish follows', async () => {
  const config = deploying({ rules: [{ id: 'b'.repeat(32), action: 'log' }] });
  writeFileSync(join(lab.cwd, 'logs.json'), JSON.stringify(config));
  writeFileSync(join(lab.cwd, 'logged'), lines([...sample.slice(2, 4), ...sample.slice(5)]));
  const line = `review --events logged --zone ${ENTERPRISE} --config logs.json`;
  const { code, stdout } = await lab.cli(line);
  expect(stdout).toMatch(/^ +1 {2}33\.33 % {2}only the new WAF acts$/m);
  expect(stdout).toContain('Enforcing the new WAF would change nothing for the 2 requests');
  expect(stdout).toMatch(/\n\nNext:\n {2}cf-waf-migrate finish .* --config logs\.json\n$/);
  expect(code).toBe(0);
});

describe('a review that could not compare its requests is no base for finish', () => {
  const alike = (of: object = {}) =>
    ['a1', 'a2'].flatMap((ray) => [
      { ...event(ray, 'firewallmanaged', 'log', RULE, '/'), ...of },
      { ...event(ray, 'waf', 'block', '100173', '/'), ...of },
    ]);
  const three = (source: string, action: string, rule: string, of: object = {}) =>
    ['u1', 'u2', 'u3'].map((ray) => ({ ...event(ray, source, action, rule, '/'), ...of }));
  const RULE = 'bba3d37891a440fb8bc95b970cbd9abc';
  const SAMPLED = { SampleInterval: 10 };
  const logged = three('firewallmanaged', 'log', RULE);
  const cut = [...alike(), ...logged, ...three('firewallrules', 'block', '1')];
  const exported = 'review again with events of Logpush, or with a shorter --since.';
  const later = 'review more events from the time of validation mode';
  const logOnly = 'cf-waf-migrate start-validation --zone <zone> --config FILE --log-only\n';
  const review = async (events: readonly RawEvent[], line: string) => {
    writeFileSync(join(lab.cwd, 'events'), lines(events));
    return lab.cli(`review --events events ${line}`.trim());
  };

  test.each<[string, RawEvent[], number, string]>([
    [
      'EVENTS_SAMPLED',
      [...alike(SAMPLED), ...logged.map((one) => ({ ...one, ...SAMPLED }))],
      3,
      exported,
    ],
    ['LEGACY_WAF_HIDDEN', [...alike(), ...three('firewallmanaged', 'block', RULE)], 3, logOnly],
    ['NO_LEGACY_EVENTS', three('firewallrules', 'block', 'c'.repeat(32)), 0, later],
    ['NO_NEW_EVENTS', three('waf', 'log', '100173'), 0, later],
  ])('%s', async (code, events, undecidable, remedy) => {
    for (const propose of ['', ' --propose p.json']) {
      const { stdout } = await review(events, `--config config.json${propose}`);
      expect(stdout).toContain(`(${code})`);
      const [, next] = stdout.split(/\n\nNext:\s+/);
      const config = propose === '' ? 'config.json' : 'p.json';
      expect(next?.startsWith(remedy.replace('FILE', config))).toBe(true);
      expect(stdout).not.toContain('cf-waf-migrate finish');
      if (propose === '') continue;
      const note = undecidable === 0 ? '' : `, including ${undecidable} undecidable`;
      expect(stdout).toContain(`newly blocked 0 → at most ${undecidable}${note}\n`);
      expect(/undecidable:\s+let\s+the\s+new\s+rules\s+log/.test(stdout)).toBe(
        code === 'LEGACY_WAF_HIDDEN',
      );
    }
  });

  test('a log of a new rule without the configuration', async () => {
    const events = [...alike({ Action: 'log' }), ...logged];
    const { code, stdout } = await review(events, '');
    expect(code).toBe(2);
    expect(stdout).toContain(
      '\n\nNext: pass --config with the configuration that `finish` will send',
    );
  });

  test.each([
    ['with undecidable requests', cut, null, 'not known'],
    ['where nothing was compared', three('waf', 'log', '100173'), null, 'not known'],
    ['within the undecidable requests of the baseline', alike(), true, 'kept'],
  ])('says whether a promise is kept, %s', async (_, after, kept, word) => {
    const before = kept === true ? cut : alike();
    await review(before, '--config config.json --propose p.json --json --out first.json');
    const line = '--config config.json --baseline first.json';
    expect((await review(after, line)).stdout).toContain(`seen 0 %: ${word}\n`);
    expect(jsonOf(await review(after, `${line} --json`)).effect.promise.kept).toBe(kept);
  });
});

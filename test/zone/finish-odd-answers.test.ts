import { join } from 'node:path';
import { finish } from '../../src/zone/finish';
import { startValidation } from '../../src/zone/start-validation';
import { readZone } from '../../src/cloudflare/zones';
import { type Change, clientUnderTest, failureOf, told } from '../support/client-under-test';
import { CliLab } from '../support/cli-lab';
import { ENTERPRISE, MANAGED, deploy, entryPoint, oneZone } from '../support/zones';

async function run(lab: CliLab, method: string, end: string, change: Change) {
  const { baseUrl, credentials } = lab.emulator;
  const { client } = clientUnderTest(baseUrl, { credentials });
  const ports = {
    client: told(client, method, end, change),
    backups: join(lab.cwd, 'backup'),
    seconds: 0,
    say: () => undefined,
    now: () => 0,
    sleep: () => Promise.resolve(),
    confirm: () => Promise.resolve(false),
  };
  try {
    const zone = await readZone(client, ENTERPRISE);
    return await finish(ports, zone, { source: 'auto', accept: [] });
  } finally {
    await client.close();
  }
}

let lab: CliLab;
beforeEach(async () => {
  lab = await CliLab.of('enterprise');
});
afterEach(() => lab.emulator.stop());

test.each([
  ['a word that nobody knows', { migration_state: 'paused' }],
  ['no state at all', { migration_state: undefined }],
  ['nothing', { migration_state: undefined, old_waf_status: undefined, new_waf_status: 'maybe' }],
])('[S69] in %s as state nothing is sent', async (_what, fields) => {
  const change: Change = (result) => ({ ...result, ...fields });
  const error = await failureOf(run(lab, 'GET', '/status', change));
  expect(error.code).toBe('MIGRATION_BLOCKED');
  expect(lab.puts()).toEqual([]);
  expect(await lab.status()).toMatchObject({ migrationState: 'start' });
});

test('[S69] in a state that nobody knows no validation mode is begun, and no zone is said to have moved', async () => {
  const { baseUrl, credentials } = lab.emulator;
  const { client } = clientUnderTest(baseUrl, { credentials });
  const paused = told(client, 'GET', '/check', (result) => ({
    ...result,
    migration_state: 'paused',
  }));
  const error = await failureOf(startValidation(paused, ENTERPRISE, { source: 'auto' }));
  await client.close();
  expect([error.code, error.findings]).toEqual(['MIGRATION_BLOCKED', []]);
  expect(error.message).toMatch(/the migration state of zone .* is unknown, so nothing was sent$/);
  expect(lab.puts()).toEqual([]);
});

describe('where check has no word for validation mode', () => {
  const change: Change = (result) => ({ ...result, migration_state: 'start' });

  beforeEach(async () => {
    await lab.emulator.stop();
    const rulesets = [entryPoint(deploy(MANAGED))];
    lab = await CliLab.of(oneZone({ migration: { state: 'validation' }, rulesets }));
  });

  test('finish does not switch on what was switched off in it', async () => {
    const error = await failureOf(run(lab, 'GET', '/check', change));
    expect(error.findings.map(({ code }) => code)).toContain('STANDING_RULE_DIFFERS');
    expect(lab.puts()).toEqual([]);
  });

  test('nor does start-validation, run again', async () => {
    const { baseUrl, credentials } = lab.emulator;
    const { client } = clientUnderTest(baseUrl, { credentials });
    const wordless = told(client, 'GET', '/check', change);
    const error = await failureOf(startValidation(wordless, ENTERPRISE, { source: 'auto' }));
    await client.close();
    expect(error.findings.map(({ code }) => code)).toContain('STANDING_RULE_DIFFERS');
    expect(lab.puts()).toEqual([]);
  });
});

test('where the status stays at the start, validation mode is said to have been asked for', async () => {
  const { baseUrl, credentials } = lab.emulator;
  const { client } = clientUnderTest(baseUrl, { credentials });
  const late = told(client, 'GET', '/status', () => ({ migration_state: 'start' }));
  const error = await failureOf(startValidation(late, ENTERPRISE, { source: 'auto' }));
  await client.close();
  expect([error.code, lab.puts().length]).toEqual(['API_RESPONSE_INVALID', 1]);
  expect(error.hint).toMatch(/^do not send the configuration again/);
});

test('a state in another spelling is known', async () => {
  const change: Change = (result) => ({ ...result, migration_state: 'START' });
  await run(lab, 'GET', '/status', change).catch(() => undefined);
  expect(lab.puts()).toHaveLength(1);
});

test.each([[null], [{}], [[]], ['done'], [undefined]])(
  '[S104] the answer to the last call may be %j: where the zone is, status tells',
  async (result) => {
    const done = await run(lab, 'PUT', '/entrypoint', () => result);
    expect(done).toMatchObject({ moved: true, migrationState: 'complete' });
    expect(done.ruleset?.id).toMatch(/^[0-9a-f]{32}$/);
    expect(lab.puts()).toHaveLength(1);
  },
);

test.each([
  ['null', null],
  ['no rules', { name: 'default' }],
  ['an empty list', { name: 'default', rules: [] }],
  ['rules of another shape', { name: 'default', rules: [{ action: 1 }] }],
  ['a ruleset of another phase', { name: 'x', phase: 'http_ratelimit', rules: [{}] }],
])('a configuration that is %s is never sent', async (_what, config) => {
  const error = await failureOf(run(lab, 'GET', '/config', () => config));
  expect(['RULESET_INVALID', 'RULESET_EMPTY']).toContain(error.code);
  expect(lab.puts()).toEqual([]);
});

test('an old package that is on and has no successor in the configuration is a blocker', async () => {
  const owasp = '4814384a9e5d4991b9815dcfc25d2f1f';
  const change: Change = (result) => ({
    ...result,
    rules: result.rules.filter((rule: any) => rule.action_parameters.id !== owasp),
  });
  const error = await failureOf(run(lab, 'GET', '/config', change));
  const blockers = error.findings.filter(({ severity }) => severity === 'blocker');
  expect(blockers).toMatchObject([{ code: 'MANAGED_RULESET_OFF', subject: owasp }]);
  expect(lab.puts()).toEqual([]);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOf } from '../support/cli-over';
import { MANAGED, managedOf } from '../support/finish-lab';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { event, lines } from './support/event-files';
import { type RawEvent } from './support/reference';

/** An old rule of which the catalogue knows the successor, and that successor. */
const OLD = '100008D';
const NEW = 'ac4e9ebfb43a4f3998f6072d2ebc44ad';

async function proposalFor(events: readonly RawEvent[], overrides: object = {}): Promise<any> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'a'), lines(events));
  const rule = {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: MANAGED, overrides },
  };
  writeFileSync(join(cwd, 'config.json'), JSON.stringify({ name: 'default', rules: [rule] }));
  const line = 'review --json --events a --config config.json --propose p.json';
  const { proposal } = jsonOf(await runCli(line.split(' '), { cwd }));
  return { proposal, ...JSON.parse(readFileSync(join(cwd, 'p.json'), 'utf8')).result };
}

test.each([
  ['block', 'block'],
  ['challenge', 'managed_challenge'],
])('what only an old rule stopped with %s: its successor is enabled', async (action, expected) => {
  const { proposal, rules } = await proposalFor([event('1', 'waf', action, OLD, '/search')]);
  expect(proposal.changes).toMatchObject([
    { kind: 'enable', ruleId: NEW, action: expected, evidence: { ruleId: OLD, requests: 1 } },
  ]);
  expect(managedOf(rules).action_parameters.overrides.rules).toEqual([
    { id: NEW, action: expected, enabled: true },
  ]);
  // what an enabled successor will catch is not known, and not promised
  expect(proposal.promise.noLongerBlocked).toEqual({ before: 1, after: 1 });
});

test('the override that was there is changed, and the others stay', async () => {
  const other = { id: 'b'.repeat(32), action: 'log' };
  const { rules } = await proposalFor([event('1', 'waf', 'block', OLD, '/')], {
    rules: [other, { id: NEW, enabled: false, sensitivity_level: 'low' }],
  });
  expect(managedOf(rules).action_parameters.overrides.rules).toEqual([
    other,
    { id: NEW, enabled: true, sensitivity_level: 'low', action: 'block' },
  ]);
});

test('a rule that should act again is not switched to log at once', async () => {
  const elsewhere = [1, 2, 3, 4].map((path) =>
    event(`n${path}`, 'firewallmanaged', 'log', NEW, `/${path}`),
  );
  const { proposal } = await proposalFor([event('1', 'waf', 'block', OLD, '/'), ...elsewhere]);
  expect(proposal.changes.map(({ kind }: any) => kind)).toEqual(['enable']);
});

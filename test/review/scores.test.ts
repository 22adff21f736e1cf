import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCORING_RULE } from '../../src/core/ruleset';
import { OLD_SCORE_RULE } from '../../src/review/query/events';
import { jsonOf } from '../support/cli-over';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { event, lines } from './support/event-files';
import { type RawEvent } from './support/reference';

const old = (action: string) => event('r', 'waf', action, OLD_SCORE_RULE, '/');
const fresh = (action: string) => event('r', 'firewallmanaged', action, SCORING_RULE, '/');
const oldRule = (action: string) => event('r', 'waf', action, '100002', '/');
const newRule = (action: string) => event('r', 'firewallmanaged', action, 'a'.repeat(32), '/');

async function reviewOf(events: readonly RawEvent[]): Promise<any> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'a'), lines(events));
  return jsonOf(await runCli(['review', '--json', '--events', 'a'], { cwd }));
}

test.each<[string, RawEvent[], object]>([
  ['both scores', [fresh('log'), old('block')], { both: 1, onlyOld: 0, onlyNew: 0 }],
  ['the old one alone', [old('challenge')], { both: 0, onlyOld: 1, onlyNew: 0 }],
  ['the new one alone', [fresh('log')], { both: 0, onlyOld: 0, onlyNew: 1 }],
  ['an allow, which is no verdict', [fresh('log'), old('allow')], { both: 0, onlyNew: 1 }],
  ['neither', [newRule('log'), oldRule('block')], { both: 0, onlyOld: 0, onlyNew: 0 }],
  [
    'a new rule that ended the request before the new score',
    [newRule('block'), old('block')],
    { both: 0, onlyOld: 0, onlyNew: 0 },
  ],
  [
    'an old rule that ended the request before the old score',
    [fresh('log'), oldRule('block')],
    { both: 0, onlyOld: 0, onlyNew: 0 },
  ],
  [
    'an old rule that only logged before the old score',
    [fresh('log'), oldRule('log')],
    { both: 0, onlyOld: 0, onlyNew: 1 },
  ],
  ['a new score that hid the old WAF', [fresh('block')], { both: 0, onlyOld: 0, onlyNew: 0 }],
])('scores are compared with scores: %s', async (_, events, scores) => {
  expect((await reviewOf(events)).scores).toMatchObject(scores);
});

test('scores count each request once', async () => {
  const { scores } = await reviewOf([
    { ...old('block'), RayID: '1' },
    { ...old('block'), RayID: '1' },
    { ...fresh('log'), RayID: '2' },
    { ...fresh('log'), RayID: '3' },
    { ...old('log'), RayID: '3' },
  ]);
  expect(scores).toEqual({ both: 1, onlyOld: 1, onlyNew: 1 });
});

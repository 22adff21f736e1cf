import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOf } from '../../support/cli-lab';
import { MANAGED } from '../../support/zones';
import { runCli } from '../../support/run-cli';
import { temporaryFolder } from '../../support/temporary-folder';
import { lines } from './event-files';
import { type RawEvent } from './reference';

/** A configuration that deploys one managed ruleset. */
export const deploying = (overrides: object = {}, id = MANAGED) => ({
  name: 'default',
  rules: [
    { action: 'execute', expression: 'true', action_parameters: { id, overrides } },
  ] as object[],
});

/** What `review --propose` proposes for a configuration, and the rules that it writes. */
export async function proposalFor(
  events: readonly RawEvent[],
  config: object = deploying(),
): Promise<any> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'a'), lines(events));
  writeFileSync(join(cwd, 'config.json'), JSON.stringify(config));
  const line = 'review --json --events a --config config.json --propose p.json';
  const { proposal } = jsonOf(await runCli(line.split(' '), { cwd }));
  const { rules } = JSON.parse(readFileSync(join(cwd, 'p.json'), 'utf8')).result;
  return { proposal, rules };
}

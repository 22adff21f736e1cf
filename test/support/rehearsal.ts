import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderContents } from './temporary-folder';
import { type CliRun, runCli } from './run-cli';
import { type World } from './world';

/** Plans for the first zone in a folder, and rehearses; what lies below the kept ones stays as it is. */
export async function rehearse(
  { lab, zoneIds }: World,
  given: { cwd: string; dir: string; flags?: string[]; environment?: Record<string, string> },
  kept: string[],
): Promise<CliRun> {
  const { cwd, dir, flags = [], environment = {} } = given;
  const options = { cwd, environment: { ...lab.environment, ...environment } };
  const zone = ['--zone', zoneIds[0]!, '--dir', dir];
  const planning = ['plan', ...zone, '--out', 'plan.json', '--force'];
  const planned = await runCli([...planning, ...flags], options);
  // a file of a shared folder is a decision
  expect([0, 2]).toContain(planned.code);
  const before = kept.map(folderContents);
  const run = await runCli(['rehearse', 'plan.json', '--json'], options);
  expect(kept.map(folderContents)).toEqual(before);
  return run;
}

/** The verdict of a rehearsal; where there is none, all that was said. */
export const verdictOf = ({ code, stdout, stderr }: CliRun): unknown =>
  code === 0 ? (JSON.parse(stdout) as { verdict: string }).verdict : `${stdout}${stderr}`;

/** Takes the resources of a project into a module, which lies in a folder of the caller's. */
export function takeIntoModule({ lab }: World, folder: string, source: string): void {
  mkdirSync(folder, { recursive: true });
  renameSync(join(lab.dir, 'main.tf'), join(folder, 'main.tf'));
  cpSync(join(lab.dir, 'provider.tf'), join(folder, 'versions.tf'));
  const versions = lab.read('provider.tf').replace('provider "cloudflare" {}', '');
  writeFileSync(join(folder, 'versions.tf'), versions);
  lab.write('main.tf', `module "waf" {\n  source = "${source}"\n}\n`);
  const state = JSON.parse(lab.read('terraform.tfstate')) as { resources: object[] };
  state.resources = state.resources.map((one) => ({ module: 'module.waf', ...one }));
  lab.write('terraform.tfstate', state);
}

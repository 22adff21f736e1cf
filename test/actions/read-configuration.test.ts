import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '../../src/actions/read-configuration';
import { temporaryFolder } from '../support/temporary-folder';

/** Two folders called `modules/old`, and a link to the root beside one of them. */
function linkedRoot(): string {
  const folder = temporaryFolder();
  for (const place of ['real', 'links']) {
    mkdirSync(join(folder, place, 'modules/old'), { recursive: true });
    writeFileSync(
      join(folder, place, 'modules/old/main.tf'),
      `resource "cloudflare_waf_rule" "${place}" {}\n`,
    );
  }
  mkdirSync(join(folder, 'real/app/own'), { recursive: true });
  writeFileSync(join(folder, 'real/app/own/main.tf'), 'output "o" {\n  value = 1\n}\n');
  writeFileSync(
    join(folder, 'real/app/main.tf'),
    'module "old" {\n  source = "../modules/old"\n}\nmodule "own" {\n  source = "./own"\n}\n',
  );
  symlinkSync('../real/app', join(folder, 'links/app'));
  return folder;
}

async function modulesOf(dir: string): Promise<{ read: string[]; unread: string[] }> {
  const configuration = await readConfiguration(dir, linkedRoot());
  const { modules, unread } = configuration!.project;
  return { read: [...modules.keys()], unread: unread.map(({ name }) => name) };
}

describe('the modules of a configuration', () => {
  it('are those that Terraform finds, not those beside a link to the folder', async () => {
    expect(await modulesOf('links/app')).toEqual({
      ...{ read: ['links/app', 'links/app/own'], unread: ['old'] },
    });
  });

  it('are read from a folder without a link on the way', async () => {
    expect(await modulesOf('real/app')).toEqual({
      ...{ read: ['real/app', 'real/modules/old', 'real/app/own'], unread: [] },
    });
  });
});

it('a stack that is synthesised as HCL is read with its constructs, and only where the metadata lies beside', async () => {
  const folder = temporaryFolder();
  const stack = { '//': { metadata: { stackName: 'edge', version: '0.21.0' } } };
  const rule = { r: { '//': { metadata: { path: 'edge/rule', uniqueId: 'r' } } } };
  for (const dir of ['edge', 'edge/own']) {
    mkdirSync(join(folder, dir));
    writeFileSync(join(folder, dir, 'cdk.tf'), 'resource "cloudflare_waf_rule" "r" {}\n');
  }
  writeFileSync(
    join(folder, 'edge/metadata.json'),
    JSON.stringify({ ...stack, resource: { cloudflare_waf_rule: rule } }),
  );
  const constructs = async (dir: string): Promise<unknown> =>
    (await readConfiguration(dir, folder))!.project.constructs;
  expect(await constructs('edge')).toEqual(new Map([['cloudflare_waf_rule.r', 'edge/rule']]));
  expect(await constructs('edge/own')).toBeUndefined();
});

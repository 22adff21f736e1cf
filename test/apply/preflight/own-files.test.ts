import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { sha256 } from '../../../src/tfconfig/config-source';
import { type Plan } from '../../../src/plan/plan';
import { stateText } from '../../support/applied-folder';
import { fakeTerraform } from '../../support/fake-terraform';
import { removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const TEXT = 'resource "cloudflare_ruleset" "kept" {\n}\n';
const ADDED = 'removed {\n  from = cloudflare_waf_rule.a\n}\n';

/** Applies an edit of an existing file, by a plan in a folder whose configuration calls one module beside it. */
async function editing(file: string, only?: 'edits') {
  const above = temporaryFolder();
  const folder = join(above, 'live');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const files = ['main.tf', '../modules/waf/main.tf', '../other/main.tf'];
  for (const one of files) write(one, TEXT);
  write('calls.tf', 'module "waf" {\n  source = "../modules/waf"\n}\n');
  write('state.json', stateText(1, []));
  const after = `${TEXT}\n${ADDED}`;
  const edit = {
    ...{ file, sha256: sha256(Buffer.from(TEXT)), sha256After: sha256(Buffer.from(after)) },
    ...{ remove: [], insert: ADDED, diff: '' },
  };
  const step = { id: '1', kind: 'edit', state: 'main', title: '', why: '', edits: [edit] };
  const plan = { ...removalPlan('d'.repeat(64)), steps: [step] } as unknown as Plan;
  const binary = fakeTerraform(temporaryFolder(), 'cat state.json').path;
  const terraform = { binary, environment: { PATH: process.env['PATH'] } };
  const code = await applyPlan({ plan, folder, terraform, only, report: () => undefined }).then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );
  const changed = files.filter((one) => readFileSync(join(folder, one), 'utf8') !== TEXT);
  return [code, changed];
}

describe('a file that a plan edits', () => {
  it.each(['main.tf', '../modules/waf/main.tf'])(
    'may be one of the folder, or of a module that it calls: %s',
    async (file) => {
      expect(await editing(file)).toEqual(['done', [file]]);
      expect(await editing(file, 'edits')).toEqual(['done', [file]]);
    },
  );

  it('is of no other folder, whatever the plan says', async () => {
    expect(await editing('../other/main.tf')).toEqual(['PLAN_INVALID', []]);
    expect(await editing('../other/main.tf', 'edits')).toEqual(['PLAN_INVALID', []]);
  });
});

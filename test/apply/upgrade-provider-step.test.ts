import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApplyContext } from '../../src/apply/apply-context';
import { stepKinds } from '../../src/apply/steps/step-kinds';
import { type Step } from '../../src/plan/plan';
import { temporaryFolder } from '../support/temporary-folder';

/** A step that installs a version, in a folder with this lock file. */
function world(locked: string | undefined, provider: string) {
  const folder = temporaryFolder();
  if (locked !== undefined) {
    const lock = `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${locked}"\n}\n`;
    writeFileSync(join(folder, '.terraform.lock.hcl'), lock);
  }
  const context = {
    plan: { states: [{ name: 'main', dir: '.', provider: { from: '3.35.0', to: provider } }] },
    live: new Map([['main', {}]]),
    folder,
    fault: () => undefined,
  } as unknown as ApplyContext;
  const step = { id: '1', kind: 'upgrade-provider', state: 'main', provider } as unknown as Step;
  return { step, context };
}

describe('the step that installs another provider', () => {
  it.each([
    ['is not done before there is a lock file', undefined, '4.52.8', false],
    ['is not done while the earlier major is installed', '3.35.0', '4.52.8', false],
    ['is done by any version of the major', '5.28.0', '5.22.0', true],
    // the import ids of the plan are those of its major
    ['is not done by a later major', '5.22.0', '4.52.8', false],
  ])('%s', async (_, locked, provider, isDone) => {
    const { step, context } = world(locked, provider);
    expect(await stepKinds['upgrade-provider'].isDone(step, context)).toBe(isDone);
  });

  it.each([
    ['another version is installed than the constraint allows', '5.22.0'],
    ['none is installed', undefined],
  ])('waits for the user where %s', async (_, locked) => {
    const { step, context } = world(locked, '4.52.8');
    expect(await stepKinds['upgrade-provider'].run?.(step, context)).toBe('waiting');
  });
});

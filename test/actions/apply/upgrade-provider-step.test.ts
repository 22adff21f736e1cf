import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApplyContext } from '../../../src/actions/apply/apply-context';
import { upgradeProviderStep } from '../../../src/actions/apply/steps/upgrade-provider';
import { type Step } from '../../../src/plan/plan';
import { temporaryFolder } from '../../support/temporary-folder';

const OTHER = 'cloudflare_ruleset.other';

/**
 * A step that installs a version on the way from 3.35 to 5, or at its end, in a folder with this lock file.
 * @param ofThree rulesets of the state that are still as provider 3 wrote them
 */
function world(locked: string | undefined, provider: string, ofThree: readonly string[] = []) {
  const folder = temporaryFolder();
  if (locked !== undefined) {
    const lock = `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${locked}"\n}\n`;
    writeFileSync(join(folder, '.terraform.lock.hcl'), lock);
  }
  const context = {
    plan: {
      states: [{ name: 'main', dir: '.', provider: { from: '3.35.0', to: '5.22.0' } }],
      steps: [
        { id: '2', kind: 'apply-refresh', state: 'main', expects: { rewritten: [OTHER] } },
        { id: '3', kind: 'apply-refresh', state: 'second', expects: { rewritten: [OTHER] } },
      ],
    },
    live: new Map([
      ['main', { ofThree: new Set(ofThree) }],
      ['second', { ofThree: new Set([OTHER]) }],
    ]),
    folder,
    fault: () => undefined,
  } as unknown as ApplyContext;
  const step = { id: '1', kind: 'upgrade-provider', state: 'main', provider } as unknown as Step;
  return { step, context };
}

describe('the step that installs another provider', () => {
  it.each([
    ['is not done before there is a lock file', undefined, '4.52.8', false],
    ['is not done while the provider of before is installed', '3.35.0', '4.52.8', false],
    // it may write entries that provider 5 does not read
    ['is not done on the way where it is an earlier minor', '4.20.0', '4.52.8', false],
    ['is done on the way by another patch', '4.52.0', '4.52.8', true],
    ['is done on the way where the provider of a later step is installed', '5.0.0', '4.52.8', true],
    ['is done at the end by any version of the major', '5.14.0', '5.22.0', true],
    ['is not done at the end by the provider on the way', '4.52.8', '5.22.0', false],
  ])('%s', async (_, locked, provider, isDone) => {
    const { step, context } = world(locked, provider);
    expect(await upgradeProviderStep.isDone(step, context)).toBe(isDone);
  });

  it('is not done on the way where a later provider is installed that cannot read the entries yet', async () => {
    const { step, context } = world('5.22.0', '4.52.8', [OTHER]);
    expect(await upgradeProviderStep.isDone(step, context)).toBe(false);
    expect(await upgradeProviderStep.run?.(step, context)).toBe('waiting');
  });

  it.each([
    ['another version is installed than the constraint allows', '4.20.0'],
    ['none is installed', undefined],
  ])('waits for the user where %s', async (_, locked) => {
    const { step, context } = world(locked, '4.52.8');
    expect(await upgradeProviderStep.run?.(step, context)).toBe('waiting');
  });
});

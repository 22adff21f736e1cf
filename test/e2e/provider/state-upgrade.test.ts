import {
  canonicalAddress,
  canonicalImportId,
  canonicalScenario,
  measuredState,
  type RulesetAnswer,
} from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';
import { importCanonical } from './table/row';

const noRules = (ruleset: RulesetAnswer) => (ruleset.rules = []);
const firstWithoutParameters = (ruleset: RulesetAnswer) => {
  ruleset.rules.unshift({
    ...ruleset.rules[6]!,
    id: '88888888888888888888888888888888',
    ref: 'first',
    action: 'log',
    action_parameters: undefined,
  });
};
/** The configuration that goes with the two changes above. */
const config = (major: Major, change?: (ruleset: RulesetAnswer) => void): object => {
  const { file, resource } = new Edit(major);
  if (change === noRules) resource.rules = [];
  if (change === firstWithoutParameters) {
    const plain = { ...resource.rules[6]!, action: 'log' };
    Reflect.deleteProperty(plain, 'action_parameters');
    resource.rules.unshift({ ...plain, ...(major !== 3 && { ref: 'first' }) });
  }
  return file;
};

/** A folder whose state the given major wrote. */
function writtenBy(
  major: Major,
  change: ((ruleset: RulesetAnswer) => void) | undefined,
  use: (lab: Lab) => Promise<void>,
): Promise<void> {
  return inLab({ major, scenario: canonicalScenario(change) }, async (lab) => {
    lab.write('main.tf.json', config(major, change));
    const run = await lab.terraform('import', canonicalAddress, canonicalImportId(major));
    expect(run).toMatchObject({ code: 0 });
    await use(lab);
  });
}

const changes: [string, ((ruleset: RulesetAnswer) => void) | undefined][] = [
  ['seven rules', undefined],
  ['no rules', noRules],
  ['a first rule without parameters', firstWithoutParameters],
];

describe.each(changes)('a state with %s', (_name, change) => {
  it.each<[Major, Major]>([
    [3, 4],
    [4, 5],
  ])('of provider %s plans empty under %s', (from, to) =>
    writtenBy(from, change, async (lab) => {
      await lab.use({ major: to });
      lab.write('main.tf.json', config(to, change));
      expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    }),
  );

  it('of provider 3 cannot be read by 5, and can after an apply by 4', () =>
    writtenBy(3, change, async (lab) => {
      await lab.use({ major: 5 });
      lab.write('main.tf.json', config(5, change));
      const direct = await lab.plan();
      expect(direct.outcome).toBe('error');
      expect(direct.text.replace(/\s+/g, ' ')).toMatch(
        change === undefined
          ? /Failed to unmarshal v4 ruleset state.*rules\[0\]\.action_parameters\[0\]\.version: unsupported attribute "version"/
          : `Failed to unmarshal ${change === noRules ? 'v5' : 'v4'} ruleset state`,
      );

      await lab.use({ major: 4 });
      lab.write('main.tf.json', config(4, change));
      expect((await lab.plan()).outcome).toBe('empty');
      await lab.use({ major: 5 });
      lab.write('main.tf.json', config(5, change));
      expect((await lab.plan()).outcome).toBe('error');

      await lab.use({ major: 4 });
      lab.write('main.tf.json', config(4, change));
      expect((await lab.terraform('apply', '-refresh-only', '-auto-approve')).code).toBe(0);
      await lab.use({ major: 5 });
      lab.write('main.tf.json', config(5, change));
      expect((await lab.plan()).outcome).toBe('empty');
    }));
});

it('a state of provider 3 blocks the import of any other address under 5; to remove it first helps', () =>
  writtenBy(3, undefined, async (lab) => {
    await lab.use({ major: 5 });
    const { file, resource } = new Edit(5);
    lab.write('main.tf.json', file);
    lab.write('other.tf.json', { resource: { cloudflare_ruleset: { other: resource } } });
    const other = await lab.terraform('import', 'cloudflare_ruleset.other', canonicalImportId(5));
    expect(other.code).toBe(1);
    expect(other.stderr).toContain('Failed to unmarshal v4 ruleset state');

    lab.write('other.tf.json', {});
    expect((await lab.terraform('state', 'rm', canonicalAddress)).code).toBe(0);
    await importCanonical(lab, 5);
    expect((await lab.plan()).outcome).toBe('empty');
  }));

it.each<[Major, Major]>([
  [3, 4],
  [4, 5],
])('a plan without refresh lies after an upgrade from %s to %s', (from, to) =>
  inLab({ major: to, scenario: 'canonical' }, async (lab) => {
    lab.write('terraform.tfstate', measuredState(from));
    lab.write('main.tf.json', new Edit(to).file);
    expect((await lab.plan('-refresh=false')).outcome).toBe('diff');
    expect((await lab.plan()).outcome).toBe('empty');
  }),
);

import { canonicalAddress, canonicalImportId, measuredState } from '../../support/canonical';
import { inLab, type Lab, type Verdict } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';
import { importCanonical } from './table/row';

/** A folder whose state the given major wrote. */
function writtenBy(major: Major, use: (lab: Lab) => Promise<void>): Promise<void> {
  return inLab({ major, scenario: 'canonical' }, async (lab) => {
    await importCanonical(lab, major);
    await use(lab);
  });
}

async function planUnder(lab: Lab, major: Major): Promise<Verdict> {
  await lab.use({ major });
  lab.write('main.tf.json', new Edit(major).file);
  return lab.plan();
}

it('a state of provider 4 plans empty under 5', () =>
  writtenBy(4, async (lab) => {
    expect(await planUnder(lab, 5)).toMatchObject({ outcome: 'empty' });
  }));

it('a state of provider 3 cannot be read by 5, and can after an apply by 4', () =>
  writtenBy(3, async (lab) => {
    const direct = await planUnder(lab, 5);
    expect([direct.outcome, direct.text.replace(/\s+/g, ' ')]).toEqual([
      'error',
      expect.stringMatching(
        /Failed to unmarshal v4 ruleset state.*rules\[0\]\.action_parameters\[0\]\.version: unsupported attribute "version"/,
      ),
    ]);
    expect((await planUnder(lab, 4)).outcome).toBe('empty');
    expect((await planUnder(lab, 5)).outcome).toBe('error');
    await planUnder(lab, 4);
    expect((await lab.terraform('apply', '-refresh-only', '-auto-approve')).code).toBe(0);
    expect((await planUnder(lab, 5)).outcome).toBe('empty');
  }));

it('a state of provider 3 blocks the import of any other address under 5; to remove it first helps', () =>
  writtenBy(3, async (lab) => {
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

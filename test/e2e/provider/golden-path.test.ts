import {
  canonicalAddress,
  canonicalImportId,
  canonicalRuleset,
  canonicalZone,
} from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import {
  addressesIn,
  oldWafScenario,
  oldWafState,
  removedBlocks,
} from '../../support/legacy-waf-case';
import { actionsOf } from '../../support/plans';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';

const get = `GET /zones/${canonicalZone}/rulesets/${canonicalRuleset}`;
const blocks = {
  ...removedBlocks(addressesIn(oldWafState())),
  import: [{ to: canonicalAddress, id: canonicalImportId(3) }],
};
const write = (lab: Lab, major: Major, extra: object = {}) => {
  lab.write('main.tf.json', { ...new Edit(major).file, ...extra });
};
const dead = (use: (lab: Lab) => Promise<void>) =>
  inLab({ major: 3, scenario: oldWafScenario({ alive: false }) }, async (lab) => {
    lab.write('terraform.tfstate', oldWafState());
    await use(lab);
  });

describe('with the old interfaces dead, provider 3.35', () => {
  it.each([[], ['-refresh=false']])('forgets 54 old resources without one request %s', (...flags) =>
    dead(async (lab) => {
      lab.write('main.tf.json', removedBlocks(addressesIn(oldWafState())));
      expect((await lab.plan('-out=p.bin', ...flags)).outcome).toBe('diff');
      expect(await actionsOf(lab, 'p.bin')).toEqual({ forget: 54 });
      expect((await lab.terraform('apply', 'p.bin')).code).toBe(0);
      expect(lab.asked()).toEqual([]);
      expect(addressesIn(lab.read('terraform.tfstate'))).toEqual([]);
    }),
  );

  it('trap 0.2: imports the ruleset and forgets them in one plan, and is upgraded to 4 and 5', () =>
    dead(async (lab) => {
      write(lab, 3, blocks);
      const first = await lab.plan('-out=p.bin');
      expect(first.outcome).toBe('diff');
      expect(first.text).toContain('Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.');
      expect(await actionsOf(lab, 'p.bin')).toEqual({ forget: 54, 'no-op (import)': 1 });
      expect(lab.asked()).toEqual([get, get]);

      expect((await lab.terraform('apply', 'p.bin')).code).toBe(0);
      expect(lab.asked()).toEqual([]);
      expect((await lab.plan()).outcome).toBe('empty');

      await lab.use({ major: 4 });
      write(lab, 4, blocks);
      expect((await lab.plan()).outcome).toBe('empty');
      expect((await lab.terraform('apply', '-auto-approve')).code).toBe(0);

      await lab.use({ major: 5 });
      write(lab, 5);
      expect((await lab.plan()).outcome).toBe('empty');
    }));
});

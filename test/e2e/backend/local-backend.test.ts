import { watchLocalBackend } from '../../support/backend/local-backend';
import { canonicalAddress } from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import { Edit } from '../provider/table/edit';
import { importCanonical } from '../provider/table/row';

const inLocal = (use: (lab: Lab) => Promise<void>) =>
  inLab({ major: 5, scenario: 'canonical' }, async (lab) => {
    await importCanonical(lab, 5);
    await use(lab);
  });

describe('the watch over a local state', () => {
  it('sees that a plan locks and writes nothing', () =>
    inLocal(async (lab) => {
      const local = watchLocalBackend(lab.dir);
      expect((await lab.plan()).outcome).toBe('empty');
      expect(local.changed()).toEqual([]);
      expect(await local.log()).toContainEqual({ kind: 'locked', file: 'terraform.tfstate' });
      local.clearLog();
      expect((await lab.plan('-lock=false')).outcome).toBe('empty');
      expect(await local.log()).toEqual([]);
      local.stop();
    }));

  it('sees what state rm writes: the state, and a backup', () =>
    inLocal(async (lab) => {
      const local = watchLocalBackend(lab.dir);
      expect((await lab.terraform('state', 'rm', canonicalAddress)).code).toBe(0);
      expect(local.changed()).toEqual([
        'terraform.tfstate',
        expect.stringMatching(/^terraform\.tfstate\.\d+\.backup$/),
      ]);
      expect(await local.log()).toContainEqual({ kind: 'written', file: 'terraform.tfstate' });
      local.stop();
    }));

  it('sees that a dry run of state rm locks, and writes nothing', () =>
    inLocal(async (lab) => {
      const local = watchLocalBackend(lab.dir);
      const dry = await lab.terraform('state', 'rm', '-dry-run', canonicalAddress);
      expect(dry.stdout).toContain(`Would remove ${canonicalAddress}`);
      expect(local.changed()).toEqual([]);
      expect(await local.log()).toContainEqual({ kind: 'locked', file: 'terraform.tfstate' });
      local.stop();
    }));

  it('sees that a state that was not touched has not changed', () =>
    inLocal(async (lab) => {
      const local = watchLocalBackend(lab.dir);
      lab.write('main.tf.json', new Edit(5).file);
      expect(local.changed()).toEqual([]);
      expect(await local.log()).toEqual([]);
      local.stop();
    }));
});

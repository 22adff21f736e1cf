import { setTimeout as pause } from 'node:timers/promises';
import { type HttpBackend, startHttpBackend } from '../../support/backend/http-backend';
import { canonicalAddress, canonicalImportId } from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import { Edit } from '../provider/table/edit';

/** A folder with the canonical configuration, its state in an HTTP backend. */
function inRemote(use: (lab: Lab, backend: HttpBackend) => Promise<void>): Promise<void> {
  return inLab({ major: 5, scenario: 'canonical' }, async (lab) => {
    const backend = await startHttpBackend();
    try {
      lab.write('main.tf.json', new Edit(5).file);
      lab.write('backend.tf.json', backend.config);
      expect((await lab.terraform('init')).code).toBe(0);
      await use(lab, backend);
    } finally {
      await backend.stop();
    }
  });
}
const importIt = (lab: Lab) => lab.terraform('import', canonicalAddress, canonicalImportId(5));

describe('a state in the HTTP backend', () => {
  it('is locked, written once and unlocked by an import; only locked by a plan', () =>
    inRemote(async (lab, backend) => {
      expect((await importIt(lab)).code).toBe(0);
      expect(backend.state()).toContain('cloudflare_ruleset');
      expect([backend.writes(), backend.locks()]).toEqual([1, 1]);
      expect(backend.log().at(-1)).toEqual({ method: 'UNLOCK', status: 200 });

      backend.clearLog();
      expect((await lab.plan()).outcome).toBe('empty');
      expect([backend.writes(), backend.locks()]).toEqual([0, 1]);
      backend.clearLog();
      expect((await lab.plan('-lock=false')).outcome).toBe('empty');
      expect([backend.writes(), backend.locks()]).toEqual([0, 0]);
    }));

  it('that another holds is an error, that names the lock', () =>
    inRemote(async (lab, backend) => {
      backend.hold('lock-of-another');
      const run = await importIt(lab);
      expect(run.code).toBe(1);
      expect(run.stderr).toContain('Error acquiring the state lock');
      expect(run.stderr).toContain('already locked: ID=lock-of-another');
      expect([backend.writes(), backend.locks()]).toEqual([0, 0]);
    }));

  it('that another holds for a while is waited for', () =>
    inRemote(async (lab, backend) => {
      backend.hold('lock-of-another');
      const run = lab.terraform(
        'import',
        '-lock-timeout=60s',
        canonicalAddress,
        canonicalImportId(5),
      );
      while (!backend.log().some(({ status }) => status === 423)) await pause(20);
      backend.release();
      expect((await run).code).toBe(0);
      expect(backend.writes()).toBe(1);
    }));

  it('that may not be pushed is left as it was', () =>
    inRemote(async (lab, backend) => {
      backend.refusePush(403);
      const run = await importIt(lab);
      expect(run.code).toBe(1);
      expect(backend.state()).toBeNull();
      expect(backend.log()).toContainEqual({ method: 'POST', status: 403 });
      backend.refusePush(null);
      expect((await importIt(lab)).code).toBe(0);
    }));

  it('is written to by an import whatever -state-out says', () =>
    inRemote(async (lab, backend) => {
      const aside = ['-state-out=aside.tfstate', canonicalAddress, canonicalImportId(5)];
      expect((await lab.terraform('import', ...aside)).code).toBe(0);
      expect(lab.read('aside.tfstate')).toBe('');
      expect(backend.writes()).toBe(1);
    }));

  it('is not overwritten by an older one, and is by one of a higher serial', () =>
    inRemote(async (lab, backend) => {
      expect((await importIt(lab)).code).toBe(0);
      const state = JSON.parse(backend.state()!) as { serial: number };
      const push = (serial: number) => {
        lab.write('push.tfstate', { ...state, serial });
        return lab.terraform('state', 'push', 'push.tfstate');
      };
      expect((await push(state.serial + 5)).code).toBe(0);
      const pushed = backend.state();
      const older = await push(state.serial + 4);
      expect(older.code).toBe(1);
      expect(older.stderr).toContain('cannot import state with serial');
      expect(backend.state()).toBe(pushed);
    }));
});

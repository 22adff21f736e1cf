import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JournalEntry } from '../../src/apply/journal/journal';
import { PLAN_LOCK, withLock } from '../../src/apply/journal/lock';
import {
  appliedFolder,
  OLD,
  oldText,
  resource,
  RULESET,
  rulesetText,
  stateText,
} from '../support/applied-folder';
import { endOf, planFolder } from '../support/plan-folder';
import { address, removalPlan } from '../support/removal-plan';

describe('rollback and apply of one plan', () => {
  /** A folder with the state, after an apply. */
  async function world() {
    const folder = planFolder(removalPlan('b'.repeat(64), { gone: [address] }), {
      'state.json': stateText(1, [resource(OLD)]),
      'removed.json': stateText(2, []),
    });
    await folder.apply();
    const state = () =>
      JSON.parse(folder.text('state.json')!) as { serial: number; resources: object[] };
    return { ...folder, state, lock: `${folder.journal}.lock` };
  }

  it('a rollback does not begin while apply has the lock', async () => {
    const { rollback, lock, calls, state } = await world();
    const before = calls().length;
    const refused = withLock(lock, PLAN_LOCK, () => rollback());
    await expect(refused).rejects.toMatchObject({ code: 'APPLY_RUNNING' });
    expect([calls().length, state().serial]).toEqual([before, 2]);
  });

  it('apply does not begin while a rollback runs, whose lock is gone when it has ended', async () => {
    const { apply, rollback, text, at, lock, state } = await world();
    let held: string | undefined;
    const fault = (point: string): void => {
      if (point === 'rollback-pushed') held = text(lock.replace(`${at('.')}/`, ''));
    };
    await rollback({ fault });
    expect([state().resources.length, existsSync(lock)]).toEqual([1, false]);
    writeFileSync(lock, held!);
    await expect(apply()).rejects.toMatchObject({ code: 'APPLY_RUNNING' });
    expect(state().resources).toHaveLength(1);
  });

  it('archives the journal, so that an apply of the same plan is refused: the rollback raised the serial', async () => {
    const { apply, rollback, state, at } = await world();
    await rollback();
    const { serial } = state();
    await expect(apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringContaining('changed after the plan was made'),
    });
    const kept = readdirSync(at('cf-waf-migrate-backup'));
    expect(kept.filter((name) => name.endsWith('.jsonl'))).toEqual([
      'bbbbbbbbbbbb.rolled-back.jsonl',
    ]);
    expect(state().serial).toBe(serial);
  });
});

describe('a second rollback of a plan', () => {
  it('finds everything as it was, says so, and writes nothing', async () => {
    const { rollback, state, calls } = appliedFolder();
    expect(await rollback()).toMatchObject({
      restored: ['main.tf', 'state main'],
      deleted: ['ruleset.tf'],
    });
    const { serial } = state();
    expect((await rollback()).restored).toEqual([]);
    const pushes = calls().filter(([, word]) => word === 'push');
    expect([state().serial, pushes.length]).toEqual([serial, 1]);
  });

  it('takes away what one that was killed behind its push has left', async () => {
    const { rollback, at, journal, plan } = appliedFolder();
    const killed = rollback({
      fault: (point) => {
        if (point === 'rollback-pushed') throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const left = () =>
      readdirSync(dirname(at(journal))).filter((name) => name.includes('rollback'));
    // by the plan: that of another workspace of the folder may be rolled back at the same time
    expect(left()).toEqual([`${plan.digest.slice(0, 12)}.main.rollback.tfstate`]);
    await rollback();
    expect(left()).toEqual([]);
  });

  it('tells of a file that was changed after the edit that --force keeps a copy of it', async () => {
    const { rollback, write } = appliedFolder();
    write('main.tf', 'terraform {}\n');
    await expect(rollback()).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
      message: expect.stringContaining('main.tf changed after the plan edited it'),
      hint: expect.stringMatching(
        /--force .* is kept in the backup folder.* only what a step or hint named/,
      ),
    });
    const { saved = [] } = await rollback({ force: true });
    expect(saved.map(({ of }) => of)).toEqual(['main.tf', 'state main']);
  });
});

it('of changed files and a changed state names both, and each resource that --force drops', async () => {
  const { rollback, write, types } = appliedFolder();
  write('main.tf', '# a comment\n');
  const later = { ...resource('terraform_data'), name: 'later' };
  write('state.json', stateText(3, [resource(RULESET), later]));
  await expect(rollback()).rejects.toMatchObject({
    code: 'STATE_CHANGED',
    message: expect.stringMatching(
      /^state main was changed after the backup: terraform_data\.later; main\.tf changed after the plan edited it$/,
    ),
    hint: expect.stringMatching(
      /later changes are removed from it.*; pass --force to restore main\.tf/,
    ),
  });
  expect(types()).toEqual([RULESET, 'terraform_data']);
});

describe('a rollback that ends in the middle', () => {
  it('whatever the state holds is declared at each of its moments', async () => {
    const { rollback: back, types, declared } = appliedFolder();
    const bare: string[] = [];
    const fault = (point: string): void => {
      const text = declared().join('');
      if (point.startsWith('rollback-') && point !== 'rollback-before')
        bare.push(...types().filter((type) => !text.includes(type)));
    };
    await back({ fault });
    expect([bare, types(), declared()]).toEqual([[], [OLD], [oldText]]);
  });

  it('where the state cannot be pushed: the ruleset stays declared, nothing is to be applied, and the next run ends it', async () => {
    const { rollback: back, write, types, declared, at } = appliedFolder();
    write('locked', '');
    await expect(back()).rejects.toMatchObject({
      code: 'TERRAFORM_FAILED',
      hint: expect.stringMatching(
        /run the same rollback again; do not run `terraform apply` before/,
      ),
    });
    expect([types(), declared()]).toEqual([[RULESET], [oldText, rulesetText]]);
    rmSync(at('locked'));
    // the old blocks are back since the first one
    expect(await back()).toMatchObject({ restored: ['state main'], deleted: ['ruleset.tf'] });
    expect([types(), declared()]).toEqual([[OLD], [oldText]]);
  });
});

describe('a state that the plan has created, of which there is no backup', () => {
  it('loses the ruleset before its file does, and nothing else', async () => {
    const others = [resource('cloudflare_zone')];
    const { rollback: back, types, declared, calls } = appliedFolder({ lineage: '', others });
    expect((await back()).restored).toContain('state main');
    expect([types(), declared()]).toEqual([['cloudflare_zone'], [oldText]]);
    const removal = ['state', 'rm', '-lock-timeout=60s', `${RULESET}.a`];
    expect(calls()).toContainEqual(removal);
  });

  it('keeps the declaration of a ruleset that Terraform only says that it removed', async () => {
    const { rollback: back, write, declared } = appliedFolder({ lineage: '' });
    write('deaf', '');
    await expect(back()).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(declared()).toEqual([oldText, rulesetText]);
  });
});

describe('the push of a state', () => {
  const pushed = async (...runs: string[][]): Promise<string[] | undefined> => {
    const steps = [{ runs: runs.map((argv) => ({ argv: ['terraform', ...argv] })) }];
    const { rollback: back, calls } = appliedFolder({ steps });
    await back();
    return calls()
      .find(([, word]) => word === 'push')
      ?.slice(2, -1);
  };

  it('reaches the backend with the flags of the plan, and with no other one', async () => {
    const flags = await pushed(
      ['init', '-lockfile=readonly', '-ignore-remote-version'],
      ['plan', '-var-file=prod.tfvars', '-lock-timeout=5s'],
    );
    expect(flags).toEqual(['-ignore-remote-version', '-lock-timeout=5s']);
  });

  it('waits for a lock where the plan does not say for how long', async () => {
    expect(await pushed(['plan', '-input=false'])).toEqual(['-lock-timeout=60s']);
  });
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const EVIL = 'ssh-rsa evil';
const line = (file: string, more: object) =>
  ({ event: 'file', file, sha256: null, sha256After: 'x', backup: null, ...more }) as JournalEntry;

/** The code with which a rollback ends whose journal has one more line, and what it has left of two files. */
async function rollbackWith(event: JournalEntry) {
  const { rollback, write, at } = appliedFolder({ events: [event] });
  write('mine.tf', 'mine');
  write('cf-waf-migrate-backup/files/evil', EVIL);
  write(`cf-waf-migrate-backup/files/${sha256(EVIL)}`, EVIL);
  write('elsewhere/main-1.tfstate', EVIL);
  const [code] = (await endOf(rollback({ force: true }))).split(' ');
  const of = (file: string) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : undefined);
  return [code, of('mine.tf'), of('main.tf')];
}

describe('a line of a journal that apply does not write', () => {
  const untouched = ['JOURNAL_INVALID', 'mine', ''];
  const copied = { sha256: sha256(EVIL), backup: `cf-waf-migrate-backup/files/${sha256(EVIL)}` };

  it.each<[string, JournalEntry]>([
    ['deletes a file', line('mine.tf', { sha256After: sha256('mine') })],
    ['writes a file', line('../authorized_keys', copied)],
    ['brings back other bytes', line('main.tf', { ...copied, sha256After: sha256('') })],
    [
      'names a copy by another name',
      line('main.tf', {
        ...{ sha256: sha256(oldText), sha256After: sha256('') },
        backup: 'cf-waf-migrate-backup/files/evil',
      }),
    ],
    [
      'has no copy of what was there',
      line('main.tf', { sha256: sha256(oldText), sha256After: sha256('') }),
    ],
    [
      'names a state elsewhere',
      {
        ...{ event: 'backup', state: 'main', file: 'elsewhere/main-1.tfstate' },
        ...{ sha256: sha256(EVIL), lineage: 'l', serial: 1 },
      },
    ],
  ])('that %s stops the rollback before anything is written', async (_, event) => {
    expect(await rollbackWith(event)).toEqual(untouched);
  });
});

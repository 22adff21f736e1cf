import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../src/apply/apply-plan';
import { fileCopyPath, journalPath, planCopyPath } from '../../src/apply/journal/journal';
import { howToDeclare, remediesOf } from '../../src/apply/remedies';
import { MigrationError } from '../../src/core/migration-error';
import { type Plan, type Step } from '../../src/plan/plan-schema';
import { oldText, resource, RULESET, stateText } from '../support/applied-folder';
import { endOf, planFolder, removalOf, statusesOf } from '../support/plan-folder';
import { address, removalPlan } from '../support/removal-plan';
import { temporaryFolder } from '../support/temporary-folder';

const digest = 'a'.repeat(64);
const [type = ''] = address.split('.');
const BACKUPS = 'cf-waf-migrate-backup';
const held = stateText(1, [resource(type)]);
const empty = stateText(2, []);
const removal = removalPlan(digest, { gone: [address] });
const withSteps = (...steps: object[]): Plan => ({
  ...removal,
  steps: steps.map((step, at) => ({
    ...{ id: String(at + 1), state: 'main', title: '', why: '' },
    ...step,
  })) as Step[],
});
const [backup, remove] = removal.steps as [Step, Step];

describe('the rulesets of a plan', () => {
  const ruleset = { id: 'b', address: `${RULESET}.b`, importId: 'zone/z/b', state: 'main' };
  const importing = {
    ...{ kind: 'import', addresses: [ruleset.address], importId: ruleset.importId },
    runs: [{ argv: ['terraform', 'import', ruleset.address, ruleset.importId] }],
    expects: { present: [ruleset.address] },
  };
  const plan = {
    ...withSteps(...removalPlan(digest).steps, importing),
    zones: [{ zoneId: 'z', ruleset }],
  };
  const owned = { ...resource(RULESET, { id: 'b' }), name: 'b' };
  const begin = { event: 'begin', digest };
  const notLive = () => Promise.reject(new MigrationError('RULESET_NOT_LIVE', 'none'));

  /** A folder with the journal of a run that has come so far. */
  function world(journal: readonly object[], more: readonly object[] = []) {
    const files = {
      'state.json': stateText(1, [resource(type), ...more]),
      'removed.json': stateText(2, more),
      'imported.json': stateText(3, [owned]),
    };
    const folder = planFolder(plan, files, 'import*) cp imported.json state.json ;;');
    if (journal.length > 0) {
      const path = journalPath(digest);
      folder.write(path, journal.map((line) => `${JSON.stringify(line)}\n`).join(''));
      folder.write(planCopyPath(path), JSON.stringify(plan));
    }
    const written = (): string[] =>
      readdirSync(folder.folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.startsWith(`${BACKUPS}/`) && !name.endsWith('lock'))
        .sort();
    return { ...folder, written };
  }

  describe.each([
    ['in a first run', []],
    ['in a run after one that was killed when it had begun', [begin]],
  ])('%s', (_, journal) => {
    it('are checked before anything is written', async () => {
      const { apply, calls, written } = world(journal);
      const before = written();
      const seen: unknown[] = [];
      const checkRulesets = async (): Promise<void> => {
        for (let turns = 0; turns < 200_000 && calls().length === 0; turns += 1) await turn();
        // long enough for whatever does not wait for the answer
        for (let turns = 0; turns < 50; turns += 1) await turn();
        seen.push(calls(), written());
      };
      expect(await statusesOf(apply({ checkRulesets }))).toEqual(['done', 'done', 'done']);
      expect(seen).toEqual([['pull'], before]);
      expect(calls()).toEqual(['pull', 'rm', 'pull', 'import', 'pull']);
    });

    it('stop the run where they are not live', async () => {
      const { apply, calls, written } = world(journal);
      const before = written();
      const refused = apply({ checkRulesets: notLive });
      await expect(refused).rejects.toMatchObject({ code: 'RULESET_NOT_LIVE' });
      expect([calls(), written()]).toEqual([['pull'], before]);
    });
  });

  const begun = [begin, { event: 'start', step: '1' }];

  it('are checked when a run resumes: the one before may have had no credentials', async () => {
    const { apply, calls } = world(begun);
    const refused = apply({ checkRulesets: notLive });
    await expect(refused).rejects.toMatchObject({ code: 'RULESET_NOT_LIVE' });
    expect(calls()).toEqual(['pull']);
  });

  it('are refused where neither the state has them nor a step imports them', async () => {
    const { request } = world([]);
    const forged = { ...plan, steps: plan.steps.slice(0, -1) };
    const refused = applyPlan({ ...request, plan: forged });
    await expect(refused).rejects.toMatchObject({
      code: 'PLAN_INVALID',
      message: `no step of the plan imports ${ruleset.address}, and the state does not have it`,
    });
  });

  it('are not checked once all of them are imported', async () => {
    const checkRulesets = jest.fn(() => Promise.resolve());
    await world(begun, [owned]).apply({ checkRulesets });
    expect(checkRulesets).not.toHaveBeenCalled();
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the backups of a run', () => {
  it('leave that of another state with the same name as it is', async () => {
    const { apply, write, text } = planFolder(removal, {
      'state.json': held,
      'removed.json': empty,
    });
    write(`${BACKUPS}/main-1.tfstate`, 'of another folder');
    const { backup: files } = await apply();
    expect(files).toEqual([`${BACKUPS}/main-1.2.tfstate`]);
    expect(text(`${BACKUPS}/main-1.tfstate`)).toBe('of another folder');
    expect(text(files[0]!)).toBe(held);
  });

  it('are for their owner alone, though their folder was open to all', async () => {
    const { apply, at } = planFolder(removal, { 'state.json': held, 'removed.json': empty });
    mkdirSync(at(BACKUPS));
    chmodSync(at(BACKUPS), 0o755);
    await apply();
    const names = readdirSync(at(BACKUPS));
    const modes = names.map((name) => statSync(join(at(BACKUPS), name)).mode & 0o777);
    expect([new Set(modes), modes.length > 2]).toEqual([new Set([0o600]), true]);
  });

  it.each([
    ['is made again where it was deleted', undefined],
    ['is made again where it was damaged', 'damaged'],
    ['is kept where it is as it was made', oldText],
  ])('the copy of a file to edit %s', async (_, copy) => {
    const edit = await removalOf('main.tf', oldText, address);
    const { apply, applyUntil, at, text, write, journal } = planFolder(
      withSteps({ kind: 'edit', edits: [edit] }),
      { 'main.tf': oldText, 'state.json': stateText(1, []) },
    );
    await applyUntil('edit-backed-up');
    const path = fileCopyPath(edit.sha256!);
    if (copy === undefined) rmSync(at(path));
    else write(path, copy);
    await apply();
    expect([text('main.tf'), text(path)]).toEqual(['', oldText]);
    expect(text(journal.replace(`${at('.')}/`, ''))?.match(/"event":"file"/g)).toHaveLength(1);
  });
});

describe('a removal', () => {
  it('ends the run where a wrapper hides that the state cannot be read afterwards', async () => {
    const { apply } = planFolder(removal, { 'state.json': held }, `'state rm') : > state.json ;;`);
    await expect(apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringContaining('cannot be read after the removal'),
    });
  });

  it('ends the run where Terraform only says that it is done', async () => {
    const { apply } = planFolder(removal, { 'state.json': held }, `'state rm') exit 0 ;;`);
    await expect(apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringContaining(`still has ${address}, though Terraform reported`),
    });
  });

  describe('where the files declare a ruleset of a zone of the plan, and no check has run', () => {
    const [zoneId, id] = ['f'.repeat(32), 'a'.repeat(32)];
    const ruleset = {
      id,
      address: `${RULESET}.a`,
      importId: `zone/${zoneId}/${id}`,
      state: 'main',
    };
    const plan = {
      ...withSteps(
        { kind: 'remove-dry-run', addresses: [address] },
        { kind: 'import', expects: { present: [ruleset.address] } },
      ),
      zones: [{ zoneId, ruleset }],
    };
    const block = (name: string, zone = zoneId) =>
      `resource "${RULESET}" "${name}" {\n  zone_id = "${zone}"\n  phase = "http_request_firewall_managed"\n}\n`;
    const moved = `moved {\n  from = ${RULESET}.c\n  to = ${RULESET}.b\n}\n`;

    it.each([
      ['refuses one that no step imports', block('b'), true],
      ['accepts the one that a step imports', block('a'), false],
      ['accepts one of another zone', block('b', 'e'.repeat(32)), false],
      ['accepts one that a moved block renames', `${block('b')}${moved}`, false],
    ])('%s', async (_, text, isRefused) => {
      const { apply } = planFolder(plan, { 'state.json': held, 'main.tf': text });
      const ended = await endOf(apply());
      const refusal = `PLAN_NOT_EMPTY Terraform would change something: ${RULESET}.b (create)`;
      expect(ended === refusal).toBe(isRefused);
    });
  });

  it('is refused where the files declare the ruleset of another state of the plan', async () => {
    const [zoneId, id] = ['f'.repeat(32), 'a'.repeat(32)];
    const [own] = removal.states;
    const planned = `${RULESET}.a`;
    const ruleset = {
      ...{ id, address: planned, state: 'other' },
      importId: `zone/${zoneId}/${id}`,
    };
    const plan = {
      ...removal,
      states: [own!, { ...own!, name: 'other', dir: 'other', lineage: 'other' }],
      steps: [
        {
          ...{ id: '1', state: 'other', title: '', why: '' },
          ...({ kind: 'import', addresses: [planned], expects: { present: [planned] } } as const),
        },
        ...withSteps({ kind: 'remove-dry-run', addresses: [address] }).steps.map((step) => ({
          ...step,
          id: '2',
        })),
      ],
      zones: [{ zoneId, ruleset }],
    };
    const block = `resource "${RULESET}" "a" {\n  zone_id = "${zoneId}"\n  phase = "http_request_firewall_managed"\n}\n`;
    const { apply } = planFolder(plan, {
      ...{ 'state.json': held, 'main.tf': block, 'other/main.tf': block },
      'other/state.json': stateText(1, [resource(RULESET)], { lineage: 'other' }),
    });
    await expect(apply()).rejects.toMatchObject({ code: 'PLAN_NOT_EMPTY' });
  });

  it('says to remove no ruleset where two states have one at the same address', async () => {
    const [own] = removal.states;
    const planned = `${RULESET}.a`;
    const zones = (['main', 'other'] as const).map((state, at) => {
      const [zoneId, id] = [String(at + 1).repeat(32), 'a'.repeat(32)];
      const importId = `zone/${zoneId}/${id}`;
      return { zoneId, ruleset: { id, address: planned, state, importId } };
    });
    const other = { ...own!, name: 'other', dir: 'other', lineage: 'other' };
    const plan = { ...removal, states: [own!, other], zones };
    const place = { plan, folder: temporaryFolder({ 'main.tf': '', 'other/main.tf': '' }) };
    const differences = [{ address: planned, actions: ['update'], attributes: [] }];
    const step = { id: '1', kind: 'check', title: '', why: '' } as const;
    const remediesIn = (state: string) =>
      remediesOf(differences, { ...place, place: '', step: { ...step, state } });
    for (const { zoneId, ruleset } of zones) {
      const remedies = await remediesIn(ruleset.state);
      expect(remedies).toEqual([expect.stringContaining(`generate --zone ${zoneId}`)]);
    }
    const ofOther = differences.map((one) => ({ ...one, state: 'other' }));
    expect(await howToDeclare(ofOther, place)).toHaveLength(1);
    const ofTerraform = differences.map((one) => ({ ...one, state: '' }));
    expect(await howToDeclare(ofTerraform, place)).toHaveLength(2);
  });

  describe('of so many addresses that it takes several commands', () => {
    const [first, second] = ['a', 'b'].map((name) => `${type}.${name}`) as [string, string];
    const runs = (...flags: string[]) =>
      [first, second].map((one) => ({ argv: ['terraform', 'state', 'rm', ...flags, one] }));
    const addresses = [first, second];
    const several = withSteps(
      backup,
      { kind: 'remove-dry-run', addresses, runs: runs('-dry-run') },
      { kind: 'remove', addresses, runs: runs(), expects: { gone: addresses } },
    );
    const rest = { ...resource(type), name: 'b' };
    const both = (serial: number) => stateText(serial, [resource(type), rest]);
    /** With a Terraform that removes the second address only when `works` is there. */
    const world = () =>
      planFolder(
        several,
        { 'state.json': both(1), 'first.json': stateText(2, [rest]), 'second.json': empty },
        `'state rm') case "$*" in
          *${first}) cp first.json state.json ;;
          *) [ -e works ] && cp second.json state.json ;;
        esac ;;`,
      );

    it('resumes where it ended between two of them', async () => {
      const { apply, write } = world();
      await expect(apply()).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
      write('works', '');
      expect(await statusesOf(apply())).toEqual(['found', 'found', 'done']);
    });

    it('is not begun where another process has removed a part of it', async () => {
      const { apply, write } = world();
      write('state.json', held);
      await expect(apply()).rejects.toMatchObject({
        code: 'STATE_CHANGED',
        message: `the state does not have ${second}`,
      });
    });
  });
});

describe('the state at the end', () => {
  /** A removal and a check, while which others leave this state. */
  const checked = (plan: 'empty' | 'target-empty', after: string) => {
    const runs = [{ argv: ['terraform', 'plan'] }];
    const files = { 'state.json': held, 'removed.json': stateText(1, []), 'after.json': after };
    const steps = withSteps(backup, remove, { kind: 'check', runs, expects: { plan } });
    const folder = planFolder(
      steps,
      files,
      'plan*) cp after.json state.json; echo "No changes." ;;',
    );
    return { ...folder, pulls: () => folder.calls().filter((word) => word === 'pull').length };
  };

  it('is read once more where no check has planned all of it, and not after one that has', async () => {
    const { apply, pulls } = checked('target-empty', stateText(1, []));
    await apply();
    expect(pulls()).toBe(3);
    await apply();
    expect(pulls()).toBe(4);
    const whole = checked('empty', stateText(1, []));
    await whole.apply();
    expect(whole.pulls()).toBe(2);
  });

  it('stops the run where it is not as the steps left it', async () => {
    await expect(checked('target-empty', held).apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: `state main changed after the steps: ${address} is still in the state`,
    });
  });
});

describe('the hint of a check that fails', () => {
  const showing = (action: string, ...addresses: readonly string[]) =>
    JSON.stringify({
      ...{ format_version: '1.2', terraform_version: '1.11.4' },
      ...{ planned_values: {}, configuration: {} },
      resource_changes: addresses.map((address) => ({
        address,
        change: { actions: [action], before: 1, after: 2 },
      })),
    });
  /** Backs a state up, and checks it with a Terraform that plans in this way. */
  function checked(
    planning: string,
    isCopy = false,
    folder = temporaryFolder(),
    shown = showing('update', 'a.b'),
  ) {
    const runs = [{ argv: ['terraform', 'plan', '-detailed-exitcode'] }];
    const plan = withSteps(backup, { kind: 'check', runs });
    const body = `show*) echo '${shown}' ;; plan*) ${planning} ;;`;
    const { request } = planFolder(plan, { 'state.json': stateText(1, []) }, body, folder);
    return applyPlan({ ...request, ...(isCopy && { original: folder }) });
  }

  it('says how to roll back, as a command that can be pasted', async () => {
    const folder = temporaryFolder();
    await expect(checked('exit 2', false, folder)).rejects.toMatchObject({
      code: 'PLAN_NOT_EMPTY',
      hint: expect.stringContaining(
        `or restore the state and files from before:\ncf-waf-migrate rollback ${join(folder, journalPath(digest))}`,
      ),
    });
    const quoted = join(temporaryFolder(), 'zone a');
    await expect(checked('exit 2', false, quoted)).rejects.toMatchObject({
      hint: expect.stringContaining(`rollback '${join(quoted, journalPath(digest))}'`),
    });
  });

  it('never tells to remove a block that other zones use, and names each of them', async () => {
    const rule = 'cloudflare_waf_rule.r["a"]';
    const shown = showing(
      'create',
      'cloudflare_waf_group.g[0]',
      rule,
      'cloudflare_waf_rule.r["b"]',
    );
    await expect(checked('exit 2', false, temporaryFolder(), shown)).rejects.toMatchObject({
      hint: expect.stringMatching(
        /remove the migrated zones from the count or for_each of cloudflare_waf_group.g\[0\], cloudflare_waf_rule.r\["a"\], or the whole block if nothing else uses it, and run `apply` again; or restore/,
      ),
    });
  });

  it('says how to keep a resource of another zone whose block is gone', async () => {
    const shown = showing('delete', 'cloudflare_waf_rule.other', 'cloudflare_record.a');
    await expect(checked('exit 2', false, temporaryFolder(), shown)).rejects.toMatchObject({
      hint: expect.stringContaining(
        'do not run `terraform apply`, which would destroy cloudflare_waf_rule.other: restore each block',
      ),
    });
  });

  it('keeps prevent_destroy, which Terraform advises to disable', async () => {
    const advice = 'either disable lifecycle.prevent_destroy or reduce the scope of the plan';
    const failed = checked(`printf 'Error: no\\n${advice}\\n' >&2; exit 1`);
    await expect(failed).rejects.toMatchObject({
      code: 'TERRAFORM_FAILED',
      hint: expect.stringMatching(
        /^keep prevent_destroy, .*; or restore the state and files from before:\n/,
      ),
    });
  });

  it('names no rollback on a copy, which is gone', async () => {
    await expect(checked('exit 2', true)).rejects.toMatchObject({
      hint: expect.not.stringContaining('rollback'),
    });
  });
});

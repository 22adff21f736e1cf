import { planNewFile } from '../../src/tfconfig/plan-edit';
import { type Plan, type Step, type StepDraft } from '../../src/plan/plan';
import { orderStates, sharedWithOthers, type StateSteps } from '../../src/plan/order-states';
import { planMigration } from '../../src/plan/plan-migration';
import { planUnblocking } from '../../src/plan/plan-state';
import { type PlannedState } from '../../src/plan/facts';
import { configuration, declaredZone, OLD_BLOCKS, plannedState } from './support/planned-states';
import { MODULE, otherZone, rootState } from './support/shared-module';

const zones = [declaredZone, otherZone];
const told = ({ steps }: Plan): string[] =>
  steps.map(({ kind, state, states }) => `${states?.join(' and ') ?? state}: ${kind}`);
const editOf = ({ steps }: Plan): Step =>
  steps.find(({ edits = [] }) => edits.some(({ file }) => file === MODULE))!;

describe('two states that call one module', () => {
  it('both take their ruleset in, then both let go, then one edit takes the blocks out', async () => {
    const plan = planMigration(zones, [await rootState('a'), await rootState('b')]);
    expect(told(plan)).toEqual([
      ...['backup', 'edit', 'import', 'check'].map((kind) => `a: ${kind}`),
      ...['backup', 'edit', 'import', 'check'].map((kind) => `b: ${kind}`),
      ...['remove-dry-run', 'remove'].map((kind) => `a: ${kind}`),
      ...['remove-dry-run', 'remove'].map((kind) => `b: ${kind}`),
      'a and b: edit',
      'a: check',
      'b: check',
    ]);
    expect(editOf(plan).edits!.map(({ file }) => file)).toEqual([MODULE]);
    expect(plan.findings.map(({ code }) => code)).not.toContain('BLOCK_OF_SEVERAL_STATES');
  });

  it('both let go before the edit where removing goes first, too', async () => {
    const installed = { installed: '5.22.0' };
    const states = [await rootState('a', installed), await rootState('b', installed)];
    const kinds = told(planMigration(zones, states));
    const edited = kinds.indexOf('a and b: edit');
    expect(kinds.indexOf('a: remove')).toBeLessThan(edited);
    expect(kinds.indexOf('b: remove')).toBeLessThan(edited);
    expect(kinds.indexOf('a: import')).toBeGreaterThan(edited);
    expect(kinds.indexOf('b: import')).toBeGreaterThan(edited);
  });

  it('get their removed blocks by the edit that takes the blocks out, and before them', async () => {
    const plan = planMigration(zones, [await rootState('a'), await rootState('b')], 'blocks');
    expect(told(plan)).toEqual([
      'a: backup',
      'b: backup',
      'a and b: edit',
      ...['apply-blocks', 'check'].map((kind) => `a: ${kind}`),
      ...['apply-blocks', 'check'].map((kind) => `b: ${kind}`),
    ]);
    const edited = editOf(plan).edits!.map(({ file }) => file);
    expect(edited.toSorted()).toEqual(
      [
        MODULE,
        ...['a', 'b'].flatMap((name) => [
          `roots/${name}/cf-waf-migrate.tf`,
          `roots/${name}/waf.tf`,
        ]),
      ].toSorted(),
    );
    expect(edited.at(-1)).toBe(MODULE);
  });

  it('have one edit for what each of them alone would take out', async () => {
    const [owasp, one] = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one["a"]'];
    const states = [await rootState('a', {}, [owasp]), await rootState('b', {}, [one])];
    const [edit, ...others] = editOf(planMigration(zones, states)).edits!;
    expect(others).toEqual([]);
    expect(edit!.remove.map(({ startLine }) => startLine)).toEqual([1, 5]);
    const whole = planMigration(zones, [await rootState('a'), await rootState('b')]);
    expect(edit).toEqual(editOf(whole).edits![0]);
  });

  it('both let go before the edit without a zone, also where one of them has nothing to let go', async () => {
    const installed = { installed: '4.52.8' };
    const held = await rootState('a', installed);
    const order = (other: PlannedState) => told(planUnblocking([other, held]));
    const edited = ['b and a: edit', 'b: check', 'a: check'];
    const own = ['a: remove-dry-run', 'a: remove'];
    const others = ['b: remove-dry-run', 'b: remove'];
    const saved = ['b: backup', 'a: backup'];
    expect(order(await rootState('b', installed))).toEqual([
      ...saved,
      ...others,
      ...own,
      ...edited,
    ]);
    expect(order(await rootState('b', installed, []))).toEqual([...saved, ...own, ...edited]);
  });

  it('leave a third state alone, whose blocks are its own', async () => {
    const states = [await rootState('a'), await rootState('c'), await rootState('b')];
    const plan = planMigration(zones, states);
    const kinds = told(plan).filter((step) => step.startsWith('c: '));
    expect(kinds).toEqual(
      ['backup', 'remove-dry-run', 'remove', 'edit', 'check'].map((kind) => `c: ${kind}`),
    );
    expect(plan.steps.at(-1)!.state).toBe('c');
  });
});

describe('a file that a link leads to', () => {
  const OWN = 'shared/main.tf';
  const linked = async (name: string): Promise<PlannedState> => {
    const files = await configuration({ [`${name}/main.tf`]: OLD_BLOCKS }, name);
    const linkedFiles = new Map([[`${name}/main.tf`, OWN]]);
    const linked = { ...files, linkedFiles };
    return plannedState({ name, dir: name, lineage: name, configuration: linked });
  };

  it('is one file for the states of all links: they let go before it is edited', async () => {
    const plan = planMigration(zones, [await linked('a'), await linked('b')]);
    const kinds = told(plan);
    expect(kinds.indexOf('b: remove')).toBeLessThan(kinds.indexOf('a and b: edit'));
    expect(kinds.indexOf('b: remove')).toBeGreaterThan(-1);
  });

  it('has one edit for what the states of all links take out', async () => {
    const whole = [await linked('a'), await linked('b')];
    const states = whole.map((state, at) => ({
      ...state,
      oldResources: [state.oldResources[at]!],
    }));
    const { steps } = planMigration(zones, states);
    const taken = steps
      .flatMap(({ edits = [] }) => edits)
      .filter(({ remove }) => remove.length > 0);
    expect(taken.map(({ file, remove }) => [file, remove.length])).toEqual([['a/main.tf', 2]]);
  });

  it('lies outside of the folder, where others may use it', async () => {
    const { findings } = planMigration([declaredZone], [await linked('a')]);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'BLOCK_OF_SEVERAL_STATES', subject: OWN }),
    );
    // a folder that is a link itself has its own files
    const whole = await linked('a');
    const { configuration: files } = whole;
    const places = new Map([...files!.linkedFiles!, ['a', 'shared']]);
    const moved = { ...whole, configuration: { ...files!, linkedFiles: places } };
    const own = planMigration([declaredZone], [moved]).findings;
    expect(own.map(({ code }) => code)).not.toContain('BLOCK_OF_SEVERAL_STATES');
  });
});

/** A state by its name, and steps of these kinds; `out` is an edit that takes a block out of `shared.tf`. */
function partOf(name: string, ...kinds: (StepDraft['kind'] | 'out')[]): StateSteps {
  const remove = [{ address: 'cloudflare_waf_rule.one', startLine: 1, endLine: 1 }];
  const edit = { ...planNewFile('shared.tf', `# ${name}\n`), remove };
  const draft = { title: '', why: '' };
  const steps = kinds.map((kind): StepDraft =>
    kind === 'out' ? { ...draft, kind: 'edit', edits: [edit] } : { ...draft, kind },
  );
  return { state: plannedState({ name }), steps, checks: [] };
}
const ordered = (...parts: StateSteps[]) =>
  orderStates(parts).map(({ kind, state, edits }) => `${state}: ${kind}${edits ? ' out' : ''}`);

describe('steps of states whose blocks stand in one file', () => {
  it('have what takes nothing out before a removed block of any of them is applied', () => {
    const kinds = ['backup', 'manual', 'out', 'apply-blocks', 'check'] as const;
    expect(ordered(partOf('a', ...kinds), partOf('b', ...kinds))).toEqual([
      ...['a: backup', 'a: manual', 'b: backup', 'b: manual', 'a: edit out'],
      ...['a: apply-blocks', 'a: check', 'b: apply-blocks', 'b: check'],
    ]);
  });

  it('have the backups first, and all else behind the edit, where nothing is let go', () => {
    const kinds = ['backup', 'out', 'manual', 'check'] as const;
    expect(ordered(partOf('a', ...kinds), partOf('b', ...kinds))).toEqual([
      ...['a: backup', 'b: backup', 'a: edit out'],
      ...['a: manual', 'a: check', 'b: manual', 'b: check'],
    ]);
  });
});

it('a file outside of the folder is told also where nothing else is known of the files', () => {
  const part = partOf('a', 'out');
  const [step] = part.steps;
  const edits = step!.edits!.map((edit) => ({ ...edit, file: '../shared.tf' }));
  const outside = { ...part, steps: [{ ...step!, edits }] };
  const subjects = (one: StateSteps) => sharedWithOthers([one]).map(({ subject }) => subject);
  expect([subjects(part), subjects(outside)]).toEqual([[], ['../shared.tf']]);
});

it('states whose blocks are to be taken out by hand both let go before', async () => {
  const files = {
    'roots/a/main.tf': 'module "waf" {\n  source = "../../modules/waf"\n}\n',
    'roots/b/main.tf': 'module "waf" {\n  source = "../../modules/waf"\n}\n',
    [MODULE]: `${OLD_BLOCKS}output "id" {\n  value = cloudflare_waf_package.owasp.id\n}\n`,
  };
  const state = async (name: 'a' | 'b') =>
    rootState(name, { configuration: await configuration(files, `roots/${name}`) });
  const phases = [
    ['backup', 'edit', 'import', 'check'],
    ['remove-dry-run', 'remove'],
    ['manual', 'check'],
  ];
  expect(told(planMigration(zones, [await state('a'), await state('b')]))).toEqual(
    phases.flatMap((kinds) => [
      ...(kinds[0] === 'manual' ? ['a and b: edit'] : []),
      ...['a', 'b'].flatMap((name) => kinds.map((kind) => `${name}: ${kind}`)),
    ]),
  );
});

it('the state that takes the ruleset of a zone in goes before another one that lets go of the zone', () => {
  const holding = plannedState({ name: 'holding' });
  const declared = [{ address: 'cloudflare_ruleset.own', zoneId: declaredZone.zoneId }];
  const owning = plannedState({ name: 'owning', lineage: 'other', declared });
  const kinds = told(planMigration([declaredZone], [holding, owning]));
  expect(kinds.indexOf('owning: import')).toBeGreaterThan(-1);
  expect(kinds.indexOf('owning: import')).toBeLessThan(kinds.indexOf('holding: remove'));
});

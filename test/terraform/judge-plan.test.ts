import { type Allowance, judgePlan } from '../../src/terraform/judge-plan';

const RULESET = 'cloudflare_ruleset.managed_rules';
/** What `terraform show -json` prints of a plan without anything. */
const EMPTY_PLAN = {
  format_version: '1.2',
  terraform_version: '1.11.4',
  planned_values: { root_module: {} },
  configuration: { root_module: {} },
  applyable: false,
  complete: true,
  errored: false,
};
const planOf = (change: object, more: object = {}): object => ({
  ...EMPTY_PLAN,
  resource_changes: [{ address: RULESET, change, ...more }],
});
const moved = (...actions: string[]) => planOf({ actions }, { previous_address: 'a.b' });
const taken = { actions: ['no-op'], importing: { id: 'zone/z/r' } };
const judged = (document: object, allowance: Allowance = 'import-and-forget') => {
  const { differences, allowed } = judgePlan(document, allowance);
  return [differences, allowed].map((changes) => changes.map(({ actions }) => actions));
};

describe('of a plan that is to import and forget', () => {
  it.each<[string, object, string[][]]>([
    ['nothing', EMPTY_PLAN, []],
    ['no change of a resource', planOf({ actions: ['no-op'] }), []],
    ['a read', planOf({ actions: ['read'] }), []],
    ['an ephemeral resource that OpenTofu opens', planOf({ actions: ['open'] }), []],
    ['what stays in its place', planOf({ actions: ['no-op'] }, { previous_address: RULESET }), []],
    ['a forget', planOf({ actions: ['forget'] }), [['forget']]],
    ['an import that changes nothing', planOf(taken), [['import']]],
  ])('%s goes through', (_, document, allowed) => {
    expect(judged(document)).toEqual([[], allowed]);
  });

  it.each<[string, object, string[]]>([
    ['an update', planOf({ actions: ['update'] }), ['update']],
    ['a replacement', planOf({ actions: ['delete', 'create'] }), ['delete', 'create']],
    ['an action of a later Terraform', planOf({ actions: ['something-new'] }), ['something-new']],
    ['a `moved` block', moved('no-op'), ['move']],
    ['a `moved` block that also updates', moved('update'), ['move', 'update']],
    ['an output', { ...EMPTY_PLAN, output_changes: { o: { actions: ['update'] } } }, ['update']],
    ['what is deferred', { ...EMPTY_PLAN, deferred_changes: [{}] }, ['deferred']],
    ['a deferred action', { ...EMPTY_PLAN, deferred_action_invocations: [{}] }, ['deferred']],
    [
      'an action that a provider is to take, though no resource changes',
      { ...EMPTY_PLAN, action_invocations: [{ address: 'action.x_purge.all' }] },
      ['invoke'],
    ],
    ['a plan that ended in an error', { ...EMPTY_PLAN, errored: true }, ['errored']],
  ])('%s is a difference', (_, document, actions) => {
    expect(judged(document)).toEqual([[actions], []]);
  });

  it('trap 0.12: a destroy is never let through, though Terraform would make a part of it', () => {
    expect(judged(planOf({ actions: ['delete'] }))).toEqual([[['delete']], []]);
  });

  it('trap 0.15: a create of what was just imported is an alarm: 4 and 5 drop it on any 404', () => {
    for (const allowance of ['empty', 'import-and-forget'] as const) {
      expect(judged(planOf({ actions: ['create'] }), allowance)).toEqual([[['create']], []]);
    }
  });

  it('an import that also changes something does not go through, and names what, not its value', () => {
    const { differences } = judgePlan(
      planOf({
        actions: ['update'],
        importing: { id: 'zone/z/r' },
        before: { name: 'default', rules: [{ enabled: true, expression: 'secret' }] },
        after: { name: 'default', rules: [{ enabled: false, expression: 'hidden' }] },
      }),
      'import-and-forget',
    );
    expect(differences).toEqual([
      {
        address: RULESET,
        actions: ['import', 'update'],
        attributes: ['rules[0].enabled', 'rules[0].expression'],
        importId: 'zone/z/r',
      },
    ]);
  });
});

it.each([
  ['an import', planOf(taken), ['import']],
  ['a forget', planOf({ actions: ['forget'] }), ['forget']],
  ['a `moved` block', moved('no-op'), ['move']],
  // trap 0.15: providers 4 and 5 drop what was just imported on any 404
  ['a create', planOf({ actions: ['create'] }), ['create']],
])('of a plan that is to be empty, %s is a difference', (_, document, actions) => {
  expect(judged(document, 'empty')).toEqual([[actions], []]);
});

it('names an output, and its attributes unless it is another as a whole', () => {
  const change = (before: unknown, after: unknown) => {
    const output_changes = { o: { actions: ['update'], before, after } };
    return judgePlan({ ...EMPTY_PLAN, output_changes }, 'empty').differences[0];
  };
  const output = { address: 'output.o', actions: ['update'], isOutput: true };
  expect(change('a', 'b')).toEqual({ ...output, attributes: [] });
  expect(change({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual({ ...output, attributes: ['b'] });
});

it('says whether the apply reads something, which counts as a change', () => {
  const reads = (action: string) => judgePlan(planOf({ actions: [action] }), 'empty').reads;
  expect(['read', 'open', 'no-op'].map(reads)).toEqual([true, true, false]);
});

it.each<[string, unknown]>([
  ['of an empty state', { format_version: '1.0' }],
  ['of a state', { format_version: '1.0', terraform_version: '1.11.4', values: {} }],
  ['of terraform validate', { format_version: '1.0', valid: true, diagnostics: [] }],
  ['of the schemas', { format_version: '1.0', provider_schemas: {} }],
  ['of a plan of a later format', { ...EMPTY_PLAN, format_version: '2.0' }],
  ['with an action of several lines', planOf({ actions: ['update\n\nNext:'] })],
  ['that is null', null],
  ['that is a list', []],
])('refuses JSON %s, and says what to pass', (_name, document) => {
  expect(() => judgePlan(document, 'import-and-forget')).toThrow(
    expect.objectContaining({
      code: 'TERRAFORM_PLAN_INVALID',
      hint: expect.stringContaining('terraform show -json <plan file>'),
    }),
  );
});

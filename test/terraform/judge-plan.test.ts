import { type Allowance, judgePlan } from '../../src/terraform/judge-plan';

interface Change {
  readonly actions: readonly string[];
  readonly importing?: object;
  readonly before?: unknown;
  readonly after?: unknown;
}
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
const planOf = (change: Change, address = RULESET): object => ({
  ...EMPTY_PLAN,
  resource_changes: [{ address, change }],
});
const judged = (document: object, allowance: Allowance = 'import-and-forget') => {
  const { verdict, differences, allowed } = judgePlan(document, allowance);
  return [
    verdict,
    differences.map(({ actions }) => actions),
    allowed.map(({ actions }) => actions),
  ];
};

describe('of a plan that is to import and forget', () => {
  it.each([
    [['no-op'], []],
    [['read'], []],
    [['forget'], [['forget']]],
  ])('%j goes through', (actions, allowed) => {
    expect(judged(planOf({ actions }))).toEqual(['clean', [], allowed]);
  });

  it('an import that changes nothing goes through', () => {
    const change = { actions: ['no-op'], importing: { id: 'zone/z/r' } };
    expect(judged(planOf(change))).toEqual(['clean', [], [['import']]]);
  });

  it.each([
    [['update']],
    [['delete']],
    [['delete', 'create']],
    [['create', 'delete']],
    [['something-new']],
  ])('%j does not', (actions) => {
    expect(judged(planOf({ actions }))).toEqual(['dirty', [actions], []]);
  });

  it('trap 0.12: a destroy is never let through, though Terraform would carry out a part of it', () => {
    const address = 'cloudflare_firewall_rule.office';
    const verdict = judgePlan(planOf({ actions: ['delete'] }, address), 'import-and-forget');
    expect(verdict.differences).toEqual([{ address, actions: ['delete'], attributes: [] }]);
  });

  it('trap 0.15: a create of what was just imported is an alarm: 4 and 5 drop it on any 404', () => {
    for (const allowance of ['empty', 'import-and-forget'] as const) {
      expect(judged(planOf({ actions: ['create'] }), allowance)[0]).toBe('dirty');
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
      },
    ]);
  });

  it.each([
    ['an output', { output_changes: { o: { actions: ['update'] } } }, 'output.o'],
    ['what is deferred', { deferred_changes: [{}] }, 'deferred'],
    ['a plan that ended in an error', { errored: true }, 'plan'],
  ])('%s is seen', (_, part, address) => {
    const verdict = judgePlan({ ...EMPTY_PLAN, ...part }, 'import-and-forget');
    expect(verdict.differences.map((one) => one.address)).toEqual([address]);
  });
});

it('an output that is another as a whole has no attribute to name', () => {
  const change = (before: unknown, after: unknown) => {
    const output_changes = { o: { actions: ['update'], before, after } };
    return judgePlan({ ...EMPTY_PLAN, output_changes }, 'empty').differences[0];
  };
  const output = { address: 'output.o', actions: ['update'], isOutput: true };
  expect(change('a', 'b')).toEqual({ ...output, attributes: [] });
  expect(change({ a: 1, b: 2 }, { a: 1, b: 3 })).toEqual({ ...output, attributes: ['b'] });
});

it('of a plan that is to be empty, an import and a forget are differences', () => {
  expect(judged(planOf({ actions: ['forget'] }), 'empty')[0]).toBe('dirty');
  expect(judged(planOf({ actions: ['no-op'], importing: {} }), 'empty')[0]).toBe('dirty');
  expect(judged(planOf({ actions: ['no-op'] }), 'empty')[0]).toBe('clean');
});

describe('a `moved` block that is still to be carried out', () => {
  const moved = (actions: string[], previous_address: string): object => ({
    ...EMPTY_PLAN,
    resource_changes: [{ address: RULESET, previous_address, change: { actions } }],
  });
  it.each(['empty', 'import-and-forget'] as const)(
    'is a difference of its own: %s',
    (allowance) => {
      expect(judged(moved(['no-op'], 'cloudflare_ruleset.old'), allowance)).toEqual([
        'dirty',
        [['move']],
        [],
      ]);
      expect(judged(moved(['update'], 'cloudflare_ruleset.old'), allowance)[1]).toEqual([
        ['move', 'update'],
      ]);
    },
  );
  it('is none where nothing moves', () => {
    expect(judged(moved(['no-op'], RULESET), 'empty')).toEqual(['clean', [], []]);
  });
});

it('says whether data is read at the apply, which Terraform counts as a change', () => {
  const reads = (action: string) => judgePlan(planOf({ actions: [action] }), 'empty').reads;
  expect(['read', 'no-op'].map(reads)).toEqual([true, false]);
});

it('a plan without any resource is a plan', () => {
  expect(judged(EMPTY_PLAN)).toEqual(['clean', [], []]);
});

it.each([
  ['of an empty state', { format_version: '1.0' }],
  [
    'of a state',
    { format_version: '1.0', terraform_version: '1.11.4', values: { root_module: {} } },
  ],
  ['of terraform validate', { format_version: '1.0', valid: true, diagnostics: [] }],
  ['of the schemas', { format_version: '1.0', provider_schemas: {} }],
])('the JSON %s is no plan, and refused with what to pass', (_name, document) => {
  expect(() => judgePlan(document, 'import-and-forget')).toThrow(
    expect.objectContaining({
      code: 'TERRAFORM_PLAN_INVALID',
      hint: expect.stringContaining('terraform show -json <plan file>'),
    }),
  );
});

it.each([[null], [[]], [{}], [{ ...EMPTY_PLAN, format_version: '2.0' }], ['text']])(
  'what is no plan of a version that is known is refused: %j',
  (document) => {
    expect(() => judgePlan(document, 'empty')).toThrow(
      expect.objectContaining({ code: 'TERRAFORM_PLAN_INVALID' }),
    );
  },
);

it('an action that a provider is to take is a difference, though no resource changes', () => {
  const invoked = { ...EMPTY_PLAN, action_invocations: [{ address: 'action.x_purge.all' }] };
  const deferred = { ...EMPTY_PLAN, deferred_action_invocations: [{ reason: 'unknown' }] };
  expect([invoked, deferred].map((plan) => judged(plan))).toEqual([
    ['dirty', [['invoke']], []],
    ['dirty', [['deferred']], []],
  ]);
  expect(judgePlan(invoked, 'empty').differences[0]?.address).toBe('action.x_purge.all');
});

it('an ephemeral resource that OpenTofu opens is none, and is told as what counts as a change for it', () => {
  const opened = planOf({ actions: ['open'] }, 'ephemeral.random_password.a');
  const { verdict, differences, reads } = judgePlan(opened, 'import-and-forget');
  expect([verdict, differences, reads]).toEqual(['clean', [], true]);
});

import fc from 'fast-check';
import { oneZone } from '../support/zones';
import { RandomWorld, type Snapshot } from './random-world';

/** One call. */
interface Step {
  /** Whether it calls with `waf_migration`. */
  readonly migrates: boolean;
  /** Makes the call; returns the ids of the rules and filters that it should change or delete. */
  readonly run: (world: RandomWorld, before: Snapshot) => Promise<readonly string[]>;
  readonly toString: () => string;
}

const step = (name: string, migrates: boolean, run: Step['run']): Step => ({
  migrates,
  run,
  toString: () => name,
});
const untouched = async (act: Promise<unknown>): Promise<readonly string[]> => {
  await act;
  return [];
};
const host = (number: number): string => `http.host eq "h${number}.example"`;

const kinds = fc.constantFrom('whole', 'off', 'empty', 'half', 'skip');
const migrations = fc
  .record({ mode: fc.constantFrom('pending', '1', 'validation', '2', 'done'), kind: kinds })
  .map(({ mode, kind }) =>
    step(`PUT ${mode} ${kind}`, true, (world) => untouched(world.migrate(mode, kind))),
  );
const moves = fc.constantFrom(
  step('finish', true, (world) => untouched(world.tool(world.finish))),
  step('start-validation', true, (world) => untouched(world.tool(world.startValidation))),
);
const entryPoints = kinds.map((kind) =>
  step(`PUT ${kind}`, false, (world) => untouched(world.put(kind))),
);
const overrides = fc
  .boolean()
  .map((create) =>
    step(`override ${String(create)}`, false, (world) => untouched(world.override(create))),
  );
const inline = fc
  .record({ number: fc.nat(5), action: fc.constantFrom('block', 'explode') })
  .map(({ number, action }) =>
    step(`inline ${number} ${action}`, false, (world) =>
      untouched(world.inline(host(number), action)),
    ),
  );
const creations = fc
  .record({ number: fc.nat(5), sequence: fc.constantFrom('recommended', 'simplified') })
  .map(({ number, sequence }) =>
    step(`create ${sequence} ${number}`, false, async (world, before) => {
      const error = await world.tool(() => world.createRule(host(number), sequence));
      if (error?.code === 'FIREWALL_RULE_NOT_CREATED') {
        // What stays behind is named, and so is a filter that has the expression already.
        const left = (await world.look()).filters.find(({ id }) => error.message.includes(id));
        expect(left.expression).toBe(host(number));
        const wasThere = before.filters.some(({ id }) => id === left.id);
        expect(wasThere).toBe(error.message.includes('already'));
        expect(error.hint).toContain(`--filter-id ${left.id}`);
      }
      return [];
    }),
  );
const onOne = (
  name: string,
  pick: (before: Snapshot) => readonly { id: string }[],
  act: (world: RandomWorld, id: string) => Promise<unknown>,
  touches: (before: Snapshot, id: string) => readonly string[],
) =>
  fc.nat(9).map((index) =>
    step(`${name} ${index}`, false, async (world, before) => {
      const list = pick(before);
      const id = list[index % Math.max(1, list.length)]?.id;
      if (id === undefined) return [];
      await world.tool(() => act(world, id));
      return touches(before, id);
    }),
  );
const ruleAndFilter = ({ rules }: Snapshot, id: string): string[] => [
  id,
  rules.find((rule) => rule.id === id)?.filter.id,
];
const changes = fc.oneof(
  onOne(
    'share',
    ({ filters }) => filters,
    (world, id) => world.shareFilter(id),
    () => [],
  ),
  onOne(
    'change',
    ({ rules }) => rules,
    (world, id) => world.changeRule(id),
    (_, id) => [id],
  ),
  onOne(
    'delete rule',
    ({ rules }) => rules,
    (world, id) => world.removeRule(id),
    ruleAndFilter,
  ),
  onOne(
    'pause',
    ({ filters }) => filters,
    (world, id) => world.pauseFilter(id),
    (_, id) => [id],
  ),
  onOne(
    'delete filter',
    ({ filters }) => filters,
    (world, id) => world.removeFilter(id),
    (_, id) => [id],
  ),
);
const anyStep = fc.oneof(migrations, moves, entryPoints, overrides, inline, creations, {
  arbitrary: changes,
  weight: 3,
});

/** A list without what was touched, and with the ids of filters in rules. */
const kept = (list: readonly any[], touched: readonly string[]) =>
  list
    .filter(({ id }) => !touched.includes(id))
    .map(({ filter, ...rest }) => ({ ...rest, filter: filter?.id }));

function judge(before: Snapshot, after: Snapshot, { migrates }: Step, touched: readonly string[]) {
  // No migration call takes a zone from at least one WAF to none.
  if (migrates && before.wafs > 0) expect(after.wafs).toBeGreaterThan(0);
  // A migrated zone never goes back.
  if (before.state === 'complete') expect(after.state).toBe('complete');
  if (before.state === 'pending') expect(['pending', 'complete']).toContain(after.state);
  // No rule without its filter.
  for (const { filter } of after.rules) expect(after.filters).toContainEqual(filter);
  // A refusal, the overrun of a quota among them, loses nothing; nor does anything else.
  expect(kept(after.filters, [])).toEqual(expect.arrayContaining(kept(before.filters, touched)));
  expect(kept(after.rules, [])).toEqual(expect.arrayContaining(kept(before.rules, touched)));
  expect(after.rules.length).toBeLessThanOrEqual(4);
}

test.each(['pro', 'enterprise'])(
  'no order of calls loses protection, filters or rules of a %s zone',
  async (plan) => {
    const scenario = oneZone({ plan }, { firewallRuleQuota: 4, switchDelay: { statusReads: 1 } });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 14 }), async (steps) => {
        const world = await RandomWorld.of(scenario);
        try {
          let before = await world.look();
          for (const one of steps) {
            const touched = await one.run(world, before);
            const after = await world.look();
            judge(before, after, one, touched);
            seen.add(after.state);
            before = after;
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: 20 },
    );
    // otherwise the calls never reached a migration
    expect([...seen]).toEqual(expect.arrayContaining(['start', 'complete']));
    if (plan === 'enterprise') expect([...seen]).toContain('validation');
  },
);

import * as z from 'zod';

const changesSchema = z.looseObject({
  resource_changes: z
    .array(
      z.looseObject({
        address: z.string(),
        mode: z.string().optional(),
        change: z.looseObject({ actions: z.array(z.string()) }),
      }),
    )
    .optional(),
});

/**
 * Addresses of resources in the JSON of a plan of Terraform: all that it names, also those that do not change,
 * and those that the state holds once it is applied. A plan with `-target` names what is aimed at alone.
 */
export function plannedAddresses(document: unknown): {
  readonly named: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
} {
  const { resource_changes = [] } = changesSchema.parse(document);
  const kept = resource_changes.filter(
    ({ change: { actions } }) => !['delete', 'forget'].includes(actions.join()),
  );
  const addresses = (changes: typeof kept): Set<string> =>
    new Set(changes.map(({ address }) => address));
  return { named: addresses(resource_changes), after: addresses(kept) };
}

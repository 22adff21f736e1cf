import { z } from 'zod';

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
 * Addresses of the resources that the state holds once a plan of Terraform is applied, from its JSON: it names
 * those that do not change, too. A plan with `-target` names what is aimed at alone.
 */
export function addressesAfter(document: unknown): ReadonlySet<string> {
  const { resource_changes = [] } = changesSchema.parse(document);
  const kept = resource_changes.filter(
    ({ change: { actions } }) => !['delete', 'forget'].includes(actions.join()),
  );
  return new Set(kept.map(({ address }) => address));
}

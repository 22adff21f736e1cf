import { type Filter } from './firewall';
import { type JsonObject } from './json';
import { type Refusal } from './refusal';
import { type World } from './world';

/** The fields of a filter before the service has given it an id. */
export interface FilterDraft {
  readonly expression: string;
  readonly paused: boolean;
  readonly description?: string | undefined;
  readonly ref?: string | undefined;
}

/**
 * Filters that may be added to those of a zone: all of them or none.
 * @param inline whether they come with a firewall rule
 * @throws what `duplicate` makes of the index of one whose expression exists already
 */
export function createFilters(
  existing: readonly Filter[],
  drafts: readonly FilterDraft[],
  inline: boolean,
  world: World,
  duplicate: (index: number) => Refusal,
): Filter[] {
  const expressions = new Set(existing.map(({ expression }) => expression));
  drafts.forEach(({ expression }, index) => {
    if (expressions.has(expression)) throw duplicate(index);
    expressions.add(expression);
  });
  return drafts.map(({ expression, paused, description, ref }) => ({
    id: world.mint.next(),
    expression,
    paused,
    ...(description === undefined ? {} : { description }),
    ...(ref === undefined ? {} : { ref }),
    inline,
  }));
}

/** A filter as the service answers it, alone or inside a rule. */
export function renderFilter({ id, expression, paused, description, ref }: Filter): JsonObject {
  return {
    id,
    expression,
    paused,
    ...(description === undefined ? {} : { description }),
    ...(ref === undefined ? {} : { ref }),
  };
}

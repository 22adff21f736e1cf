import { isJsonArray, isJsonObject, type JsonObject } from '../../model/json';
import { type DeclaredRule, type DeclaredRuleset, parametersOf } from '../../model/ruleset';

/** Overrides of a whole managed ruleset, or one of a rule or category in them. */
export interface OverridePart {
  readonly rule: DeclaredRule;
  /** Which list it is of; undefined for the whole. */
  readonly list?: 'rules' | 'categories';
  readonly fields: JsonObject;
  /** Where it stands, for findings. */
  readonly path: string;
}

/** All that the rules of an entry point override: each whole, and what is in its lists. */
export function overridePartsOf(ruleset: DeclaredRuleset): OverridePart[] {
  return ruleset.rules.flatMap((rule, index) => {
    const { overrides } = parametersOf(rule);
    if (!isJsonObject(overrides)) return [];
    const path = `rules[${index}].action_parameters.overrides`;
    const inLists = (['rules', 'categories'] as const).flatMap((list) => {
      const entries = overrides[list];
      if (!isJsonArray(entries)) return [];
      return entries.flatMap((fields, at) =>
        isJsonObject(fields) ? [{ rule, list, fields, path: `${path}.${list}[${at}]` }] : [],
      );
    });
    return [{ rule, fields: overrides, path }, ...inLists];
  });
}

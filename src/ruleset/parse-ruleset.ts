import * as z from 'zod';
import { isIdentifier } from '../core/identifier';
import { describeIssues, isJsonObject, type JsonObject, type JsonValue } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { MANAGED_PHASE, type Ruleset, type RulesetRule } from '../core/ruleset';

/**
 * Where a ruleset came from. `config` is a proposed entry point, `live` an existing one. `state` and `old`
 * are translated from legacy settings, in a Terraform state or in the legacy API.
 */
export type RulesetOrigin = 'config' | 'live' | 'state' | 'old';

/** A parsed ruleset with its origin. */
export interface ParsedRuleset {
  readonly origin: RulesetOrigin;
  readonly ruleset: Ruleset;
}

/** A document is always parsed JSON. */
const json = z.custom<JsonValue>();
const optionalText = z.string().nullish();
const ruleSchema = z
  .object({
    id: optionalText,
    ref: optionalText,
    action: z.string().min(1),
    expression: z.string().min(1),
    description: optionalText,
    enabled: z.boolean().nullish(),
    version: optionalText,
  })
  .catchall(json);
const rulesetSchema = z
  .object({
    id: optionalText,
    name: z.string().min(1),
    kind: z.string().default('zone'),
    phase: z.string().default(MANAGED_PHASE),
    description: optionalText,
    rules: z.array(ruleSchema).nullish(),
  })
  .catchall(json);

/**
 * Reads a saved or received response of the configuration endpoint or of the entry point, with or without
 * its envelope. Only a live ruleset has an id.
 *
 * @throws MigrationError `RULESET_EMPTY` if it has no rules, because declaring it would switch the protection
 *   off; `RULESET_INVALID`
 */
export function parseRuleset(document: unknown): ParsedRuleset {
  const parsed = parseAnyRuleset(document);
  const { name, rules } = parsed.ruleset;
  if (rules.length > 0) return parsed;
  throw new MigrationError('RULESET_EMPTY', `the ruleset "${printable(name, 80)}" has no rules`);
}

/**
 * Reads the same, even without rules.
 * @throws MigrationError `RULESET_INVALID` if it is neither, or has another kind or phase (the providers
 *   import a managed ruleset without an error)
 */
export function parseAnyRuleset(document: unknown): ParsedRuleset {
  const parsed = rulesetSchema.safeParse(withoutEnvelope(document));
  if (!parsed.success) {
    throw refused(`not an entry point ruleset: ${printable(describeIssues(parsed.error), 300)}`);
  }
  const { id, name, kind, phase, description, rules, ...fields } = parsed.data;
  requireValue('kind', kind, 'zone');
  requireValue('phase', phase, MANAGED_PHASE);
  if (id && !isIdentifier(id)) {
    throw refused(`the ruleset id "${printable(id, 80)}" is not 32 hexadecimal digits`);
  }
  const ruleset: Ruleset = {
    ...(id ? { id } : {}),
    name,
    kind,
    phase,
    ...(typeof description === 'string' ? { description } : {}),
    rules: rules?.map(toRule) ?? [],
    fields,
  };
  return { origin: id ? 'live' : 'config', ruleset };
}

function toRule(raw: z.infer<typeof ruleSchema>): RulesetRule {
  const { id, ref, action, expression, description, enabled, version, ...fields } = raw;
  return {
    // the configuration endpoint sends a blank id, version or ref for "none" (spec: "Ruleset rule")
    ...(id ? { id } : {}),
    ...(ref ? { ref } : {}),
    action,
    expression,
    ...(description ? { description } : {}),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    fields: version ? { version, ...fields } : fields,
  };
}

function withoutEnvelope(document: unknown): unknown {
  if (!isJsonObject(document)) return document;
  const { success, result } = document;
  if (success !== undefined && success !== true) {
    throw refused('the saved response is an error of the Cloudflare API');
  }
  return success === undefined && result === undefined ? document : result;
}

function requireValue(name: string, value: string, expected: string): void {
  if (value === expected) return;
  throw refused(`the ruleset has ${name} "${printable(value, 80)}", not "${expected}"`);
}

export function renderRule(rule: RulesetRule): JsonObject {
  const { id, ref, action, expression, description, enabled, fields } = rule;
  return {
    ...(id === undefined ? {} : { id }),
    ...(ref === undefined ? {} : { ref }),
    action,
    expression,
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled }),
    ...fields,
  };
}

function refused(message: string): MigrationError {
  return new MigrationError('RULESET_INVALID', message);
}

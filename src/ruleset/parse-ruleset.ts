import * as z from 'zod';
import { isIdentifier } from '../core/identifier';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { MANAGED_PHASE, type Ruleset, type RulesetRule } from '../core/ruleset';

/**
 * Where a ruleset came from: `config` proposes an entry point, `live` is one; `state` and `old` were
 * translated from legacy settings, of a Terraform state or of the legacy API.
 */
export type RulesetOrigin = 'config' | 'live' | 'state' | 'old';

/** A parsed answer and what kind of answer it was. */
export interface ParsedRuleset {
  readonly origin: RulesetOrigin;
  readonly ruleset: Ruleset;
}

/** Checked beforehand, as a whole. */
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
 * Reads a saved or received answer of the configuration endpoint or of the entry point, with or
 * without its envelope; they differ by the id, which only a live ruleset has.
 *
 * @throws MigrationError `RULESET_INVALID` when it is neither, or another kind or phase (a managed
 *   ruleset imports happily: the check is ours); `RULESET_EMPTY` when it has no rules: declared, an
 *   empty entry point would switch the protection off
 */
export function parseRuleset(document: unknown): ParsedRuleset {
  requireJson(document);
  const parsed = rulesetSchema.safeParse(withoutEnvelope(document));
  if (!parsed.success) {
    throw new MigrationError(
      'RULESET_INVALID',
      `not an entry point ruleset: ${firstIssue(parsed.error)}`,
    );
  }
  const { id, name, kind, phase, description, rules, ...fields } = parsed.data;
  requireValue('kind', kind, 'zone');
  requireValue('phase', phase, MANAGED_PHASE);
  if (!rules?.length) {
    throw new MigrationError('RULESET_EMPTY', `the ruleset "${printable(name, 80)}" has no rules`);
  }
  if (id && !isIdentifier(id)) {
    throw new MigrationError(
      'RULESET_INVALID',
      `the ruleset id "${printable(id, 80)}" is not 32 hexadecimal digits`,
    );
  }
  const ruleset: Ruleset = {
    ...(id ? { id } : {}),
    name,
    kind,
    phase,
    ...(typeof description === 'string' ? { description } : {}),
    rules: rules.map(toRule),
    fields,
  };
  return { origin: id ? 'live' : 'config', ruleset };
}

function toRule(raw: z.infer<typeof ruleSchema>): RulesetRule {
  const { id, ref, action, expression, description, enabled, version, ...fields } = raw;
  return {
    // blank id, version and ref are how the configuration endpoint says "none" (spec: "Ruleset rule")
    ...(id ? { id } : {}),
    ...(ref ? { ref } : {}),
    action,
    expression,
    ...(description ? { description } : {}),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    fields: version ? { version, ...fields } : fields,
  };
}

function withoutEnvelope(document: JsonValue): JsonValue | undefined {
  if (!isJsonObject(document)) return document;
  const { success, result } = document;
  if (success !== undefined && success !== true) {
    throw new MigrationError(
      'RULESET_INVALID',
      'the saved response is an error of the Cloudflare API',
    );
  }
  return success === undefined && result === undefined ? document : result;
}

function requireValue(name: string, value: string, expected: string): void {
  if (value !== expected) {
    throw new MigrationError(
      'RULESET_INVALID',
      `the ruleset has ${name} "${printable(value, 80)}", not "${expected}"`,
    );
  }
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue
    ? `${issue.path.join('.') || 'document'}: ${printable(issue.message.toLowerCase(), 200)}`
    : 'unknown shape';
}

/** The fields of a rule as the Cloudflare API accepts them, also for what `finish` sends. */
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

/** The service nests seven deep; far more is no answer of it, and would end in a stack overflow. */
const DEEPEST = 64;

/**
 * Checks that a document is plain JSON of a sane depth, without recursion, and copies nothing: the
 * parts of an answer that the project does not know are carried as they are.
 *
 * @throws MigrationError `RULESET_INVALID`; also for a key `__proto__`, which JavaScript cannot
 *   carry through ordinary objects, and which would be lost without a word
 */
export function requireJson(document: unknown): asserts document is JsonValue {
  const waiting: [value: unknown, depth: number][] = [[document, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    if (depth > DEEPEST) throw refused(`is nested more than ${DEEPEST} deep`);
    if (Array.isArray(value)) {
      for (const item of value) waiting.push([item, depth + 1]);
    } else if (isJsonObject(value)) {
      if (Object.hasOwn(value, '__proto__')) throw refused('has a key "__proto__"');
      for (const item of Object.values(value)) waiting.push([item, depth + 1]);
    } else if (!isScalar(value))
      throw refused(`contains a value that is not JSON: ${typeof value}`);
  }
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    Number.isFinite(value)
  );
}

function refused(what: string): MigrationError {
  return new MigrationError('RULESET_INVALID', `not an entry point ruleset: the document ${what}`);
}

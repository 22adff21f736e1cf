import { type Finding } from '../model/finding';
import { type JsonObject, type JsonValue } from '../model/json';
import { type DeclaredRuleset } from '../model/ruleset';
import { conformObject, fieldLost } from './dialects/conform';
import { type Dialect } from './dialects/dialect';
import { attributesOf } from './dialects/schema';
import { findInexact } from './find-inexact';
import { findUnknown } from './known-fields';
import { renderRule } from './parse-ruleset';

/** The arguments of a `cloudflare_ruleset`, and what could not be declared. */
export interface BuiltResource {
  /** Plain values in the shape of Terraform JSON; strings are not yet escaped as templates. */
  readonly attributes: JsonObject;
  readonly findings: readonly Finding[];
}

/** Fields of the ruleset that the service sets alone: leaving them out loses nothing. */
const COMPUTED = new Set(['version', 'last_updated', 'source']);

/**
 * The ruleset as arguments of `cloudflare_ruleset` under one provider major: name, kind, phase and
 * description exactly the live ones (any other name *replaces* the entry point in all majors).
 */
export function buildResource(
  ruleset: DeclaredRuleset,
  zoneId: string,
  dialect: Dialect,
): BuiltResource {
  const findings: Finding[] = [...dialect.judge(ruleset)];
  const ruleAttributes = attributesOf(dialect.schema['rules']);
  const rules = ruleset.rules.map((rule, index): JsonObject => {
    const subject = `rules[${index}]`;
    const { ref, ...withoutRef } = renderRule(rule);
    const declared: JsonObject = dialect.ruleFields.includes('ref')
      ? { ref: ref ?? null, ...withoutRef }
      : withoutRef;
    for (const finding of findUnknown(rule, subject)) findings.push(finding);
    const conformed = conformObject(
      declared,
      ruleAttributes,
      dialect,
      { path: subject, holder: 'rule' },
      findings,
    );
    return inOrder(conformed, dialect.ruleFields);
  });
  const attributes: JsonObject = {
    zone_id: zoneId,
    name: ruleset.name,
    kind: ruleset.kind,
    phase: ruleset.phase,
    ...(ruleset.description ? { description: ruleset.description } : {}),
    rules,
  };
  for (const [field, value] of Object.entries(ruleset.fields)) {
    if (value !== null && !COMPUTED.has(field)) findings.push(fieldLost(field, dialect));
  }
  return {
    attributes,
    findings: [...withoutRepeats(findings), ...findInexact(attributes, 'ruleset')],
  };
}

/**
 * An unknown field is told once: that it is lost, where it is, or else that it is carried. Of an
 * action that is refused it is not said that it is carried.
 */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const subjectsOf = (told: string): Set<string> =>
    new Set(findings.filter(({ code }) => code === told).map(({ subject }) => subject));
  const [lost, refused] = [subjectsOf('FIELD_NOT_SUPPORTED'), subjectsOf('PROVIDER_REFUSES')];
  const isLost = (subject: string): boolean =>
    subject.split('.').some((_, index, parts) => lost.has(parts.slice(0, index + 1).join('.')));
  return findings.filter(
    ({ code, subject }) =>
      !(code === 'UNKNOWN_FIELD' && isLost(subject)) &&
      !(code === 'UNKNOWN_ACTION' && refused.has(subject)),
  );
}

function inOrder(rule: JsonObject, fields: readonly string[]): JsonObject {
  const ordered = [...fields, ...Object.keys(rule)].flatMap((field): [string, JsonValue][] => {
    const value = rule[field];
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(ordered);
}

import { type Finding } from '../../model/finding';
import { isIdentifier } from '../../model/identifier';
import { isJsonArray, type JsonObject, type JsonValue } from '../../model/json';
import { type DeclaredRuleset } from '../../model/ruleset';
import { type OverridePart, overridePartsOf } from './override-parts';
import { findRefusedSensitivities } from './override-sensitivities';
import { refused } from './refused';

const SETTINGS = ['action', 'enabled', 'sensitivity_level'];
const LISTS = ['rules', 'categories'];

/** What the validators of provider 5.22 refuse, though the service may have answered it. */
export function findRefused(ruleset: DeclaredRuleset): Finding[] {
  return [
    ...overridePartsOf(ruleset).flatMap((part) => [
      ...findInAction(part),
      ...(part.list === undefined ? findInOverrides(part) : findInOverride(part)),
    ]),
    ...findRefusedSensitivities(ruleset, 5),
  ];
}

/** Null, or a list of nothing: nulls in a list are left out. */
export function isEmpty(value: JsonValue = null): boolean {
  return value === null || (isJsonArray(value) && value.every((item) => item === null));
}

function findInOverrides({ rule, fields, path }: OverridePart): Finding[] {
  const findings: Finding[] = [];
  if (rule.action !== 'execute') {
    findings.push(refused(path, 'overrides of a rule whose action is not "execute"', 5));
  }
  // those without anything are left out of the stack
  if (!hasAny(fields, Object.keys(fields))) return findings;
  if (!hasAny(fields, [...SETTINGS, ...LISTS])) {
    findings.push(refused(path, 'overrides with unknown fields alone', 5));
  }
  return findings;
}

function findInOverride({ list, fields, path }: OverridePart): Finding[] {
  const findings: Finding[] = [];
  const { id } = fields;
  const isOfRule = list === 'rules';
  if (isOfRule && typeof id === 'string' && !isIdentifier(id)) {
    const shape = 'an override of an id that is not 32 hexadecimal digits';
    findings.push(refused(`${path}.id`, shape, 5));
  }
  if (!hasAny(fields, isOfRule ? [...SETTINGS, 'score_threshold'] : SETTINGS)) {
    findings.push(refused(path, 'an override that changes nothing', 5));
  }
  return findings;
}

function hasAny(fields: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => !isEmpty(fields[name]));
}

function findInAction({ fields: { action }, path }: OverridePart): Finding[] {
  return typeof action !== 'string' || /^[a-z_]+$/.test(action)
    ? []
    : [refused(`${path}.action`, 'an action that is not of the letters a to z and _', 5)];
}

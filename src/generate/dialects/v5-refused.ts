import { type Finding } from '../../model/finding';
import { isIdentifier } from '../../model/identifier';
import { isJsonArray, isJsonObject, type JsonObject } from '../../model/json';
import { type DeclaredRule, type DeclaredRuleset } from '../../model/ruleset';

const PROPERTIES = ['action', 'enabled', 'sensitivity_level', 'score_threshold'];

/** What the validators of provider 5.22 refuse, though the service may have answered it. */
export function findRefused(ruleset: DeclaredRuleset): Finding[] {
  return ruleset.rules.flatMap((rule, index) => {
    const parameters = rule.fields['action_parameters'];
    const overrides = isJsonObject(parameters) ? parameters['overrides'] : undefined;
    const path = `rules[${index}].action_parameters.overrides`;
    return isJsonObject(overrides) ? findInOverrides(rule, overrides, path) : [];
  });
}

function findInOverrides(rule: DeclaredRule, overrides: JsonObject, path: string): Finding[] {
  const findings = blanks(overrides, path);
  if (rule.action !== 'execute') {
    findings.push(refused(path, 'overrides of a rule whose action is not "execute"'));
  }
  for (const list of ['rules', 'categories']) {
    const entries = overrides[list];
    if (!isJsonArray(entries)) continue;
    for (const [index, entry] of entries.entries()) {
      if (isJsonObject(entry))
        findings.push(...findInOverride(entry, list, `${path}.${list}[${index}]`));
    }
  }
  return findings;
}

function findInOverride(entry: JsonObject, list: string, path: string): Finding[] {
  const findings = blanks(entry, path);
  const { id } = entry;
  if (list === 'rules' && (typeof id !== 'string' || !isIdentifier(id))) {
    findings.push(refused(`${path}.id`, 'an override of an id that is not 32 hexadecimal digits'));
  }
  if (PROPERTIES.every((name) => (entry[name] ?? null) === null)) {
    findings.push(refused(path, 'an override that changes nothing'));
  }
  return findings;
}

function blanks(entry: JsonObject, path: string): Finding[] {
  return ['action', 'sensitivity_level']
    .filter((name) => entry[name] === '')
    .map((name) => refused(`${path}.${name}`, 'a blank value'));
}

function refused(subject: string, shape: string): Finding {
  return {
    code: 'PROVIDER_REFUSES',
    severity: 'decision',
    subject,
    message: `the service answers ${shape}, which provider 5 refuses`,
    remedy: 'change the setting in the service, then generate again',
  };
}

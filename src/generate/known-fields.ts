import { type Finding } from '../model/finding';
import { isJsonArray, isJsonObject, type JsonValue } from '../model/json';
import { type RulesetRule } from '../model/ruleset';

interface Known {
  readonly [field: string]: true | Known;
}

const override: Known = { enabled: true, action: true, sensitivity_level: true };

/** The fields of a rule of this phase that the project knows and tests (spec: "Ruleset rule"). */
const knownFields: Known = {
  version: true,
  last_updated: true,
  categories: true,
  logging: { enabled: true },
  exposed_credential_check: { username_expression: true, password_expression: true },
  action_parameters: {
    id: true,
    version: true,
    ruleset: true,
    rulesets: true,
    rules: true,
    phases: true,
    products: true,
    matched_data: { public_key: true },
    overrides: {
      ...override,
      categories: { ...override, category: true },
      rules: { ...override, id: true, score_threshold: true },
    },
  },
};
const knownActions = new Set([
  'execute',
  'skip',
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'log',
]);

/** Names every action and field of a rule that the project does not know; both are carried. */
export function findUnknown(rule: RulesetRule, subject: string): Finding[] {
  const findings: Finding[] = [];
  if (!knownActions.has(rule.action)) findings.push(unknownAction(rule.action, subject));
  visit(rule.fields, knownFields, subject);
  return findings;

  function visit(value: JsonValue, known: Known, path: string): void {
    if (isJsonArray(value)) {
      value.forEach((item, index) => {
        visit(item, known, `${path}[${index}]`);
      });
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [field, inner] of Object.entries(value)) {
      if (inner === null) continue;
      const expected = Object.hasOwn(known, field) ? known[field] : undefined;
      if (expected === undefined) findings.push(unknownField(`${path}.${field}`));
      else if (expected !== true) visit(inner, expected, `${path}.${field}`);
      else if (field === 'action' && typeof inner === 'string' && !knownActions.has(inner)) {
        findings.push(unknownAction(inner, `${path}.action`));
      }
    }
  }
}

function unknownAction(action: string, subject: string): Finding {
  return {
    code: 'UNKNOWN_ACTION',
    severity: 'decision',
    subject,
    message: `the action ${JSON.stringify(action)} is not known for this phase; it is carried as it is`,
    remedy: 'check that the provider accepts it: run `terraform validate` and `terraform plan`',
  };
}

function unknownField(path: string): Finding {
  return {
    code: 'UNKNOWN_FIELD',
    severity: 'info',
    subject: path,
    message: 'this field of the service is not known; it is carried where the provider has it',
    remedy: 'compare the rule with the dashboard after the import',
  };
}

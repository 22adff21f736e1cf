import { type JsonObject, objectOf } from './json';

export const MANAGED_PHASE = 'http_request_firewall_managed';

/** The address that `generate` and `plan` give a ruleset, unless the user chooses another one. */
export const DEFAULT_ADDRESS = 'cloudflare_ruleset.managed_rules';

/**
 * The rule of the OWASP ruleset that compares the score of a request with the threshold (`949110: Inbound
 * Anomaly Score Exceeded`). The other rules only add to the score.
 */
export const SCORING_RULE = '6179ae15870a4bb7b2d480d4843b323c';

/** One rule of an entry point ruleset, as in the API (spec: "Ruleset rule"). */
export interface RulesetRule {
  readonly id?: string;
  /** Identifies the rule across updates. Unique in the ruleset. */
  readonly ref?: string;
  /** `execute` deploys a managed ruleset, `skip` makes an exception. */
  readonly action: string;
  readonly expression: string;
  readonly description?: string;
  readonly enabled?: boolean;
  /** Every other field of the API (`action_parameters`, `logging`, unknown ones). */
  readonly fields: JsonObject;
}

/** An entry point ruleset (spec: "Entry point ruleset"). */
export interface Ruleset {
  /** Absent in the migration configuration, because the ruleset does not exist yet. */
  readonly id?: string;
  readonly name: string;
  readonly kind: string;
  readonly phase: string;
  readonly description?: string;
  readonly rules: readonly RulesetRule[];
  /** Other fields of the ruleset in the API. */
  readonly fields: JsonObject;
}

/** A rule ready to be declared: every field for which a provider could use a wrong default is explicit. */
export interface DeclaredRule extends RulesetRule {
  readonly ref: string;
  readonly enabled: boolean;
}

/** A ruleset as `finish` sends it: refs and `enabled` are explicit. */
export interface DeclaredRuleset extends Ruleset {
  readonly rules: readonly DeclaredRule[];
}

/** The action parameters of a rule; empty if it has none. */
export function parametersOf({ fields }: RulesetRule): JsonObject {
  return objectOf(fields['action_parameters']);
}

/** The id of the managed ruleset that a rule deploys; undefined for other rules. */
export function deployedBy(rule: RulesetRule): string | undefined {
  const { id } = parametersOf(rule);
  return rule.action === 'execute' && typeof id === 'string' ? id : undefined;
}

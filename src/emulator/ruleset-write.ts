import { isJsonObject, type Json, type JsonObject } from './json';
import { refusal } from './refusal';
import { type Rule, type Ruleset } from './ruleset';
import { type RuleDraft, type RulesetDraft } from './ruleset-body';
import { type World } from './world';

/**
 * The next version of a ruleset: the whole list of rules is replaced. A rule keeps its identifier
 * if it is sent with that, or with its `ref`; another one gets a new identifier.
 */
export function writeRuleset(
  current: Ruleset | undefined,
  draft: RulesetDraft & Pick<Ruleset, 'kind' | 'phase' | 'name'>,
  world: World,
): Ruleset {
  const rules =
    draft.rules === undefined
      ? (current?.rules ?? [])
      : draft.rules.map((rule) => writeRule(rule, current?.rules ?? [], world));
  refuseDuplicates(rules);
  return {
    id: current?.id ?? world.mint.next(),
    name: draft.name,
    description: draft.description ?? current?.description ?? '',
    kind: draft.kind,
    version: String(Number(current?.version ?? 0) + 1),
    last_updated: world.now(),
    phase: draft.phase,
    rules,
  };
}

/** The same ruleset with another list of rules. @throws Refusal 400 where an id or `ref` is not unique */
export function nextVersion(current: Ruleset, rules: readonly Rule[], world: World): Ruleset {
  refuseDuplicates(rules);
  const version = String(Number(current.version) + 1);
  return { ...current, version, last_updated: world.now(), rules: [...rules] };
}

/** A rule as it is stored: itself where nothing has changed. */
export function writeRule(draft: RuleDraft, before: readonly Rule[], world: World): Rule {
  const kept =
    draft.id === undefined
      ? before.find((rule) => draft.ref !== undefined && rule.ref === draft.ref)
      : before.find((rule) => rule.id === draft.id);
  const id = kept?.id ?? world.mint.next();
  const content = {
    enabled: draft.enabled ?? true,
    id,
    action: draft.action,
    ...parametersOf(draft),
    expression: draft.expression,
    description: draft.description ?? '',
    // A skip rule logs unless it is told not to (provider issue 2418).
    ...(draft.action === 'skip' ? { logging: { enabled: draft.logging?.enabled ?? true } } : {}),
    ref: draft.ref ?? kept?.ref ?? id,
  };
  if (kept !== undefined && sameContent(kept, content)) return kept;
  const version = String(Number(kept?.version ?? 0) + 1);
  return { version, last_updated: world.now(), ...content };
}

/** The service adds `version: "latest"` to the parameters of a rule that executes a ruleset. */
function parametersOf({ action, action_parameters: given }: RuleDraft): JsonObject {
  if (given === undefined) return {};
  if (action !== 'execute') return { action_parameters: given };
  const { version, ...rest } = given;
  const latest = typeof version === 'string' && version !== '' ? version : 'latest';
  return { action_parameters: { ...rest, version: latest } };
}

/** Whether a rule stays as it is, so that its version does too. */
function sameContent(rule: Rule, content: { readonly [field: string]: Json | undefined }): boolean {
  const before = { description: '', ...rule, version: undefined, last_updated: undefined };
  return canonical(before) === canonical(content);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** A rule that is sent by its id, and again by that or by its `ref`, would stand twice. */
function refuseDuplicates(rules: readonly Rule[]): void {
  for (const name of ['id', 'ref'] as const) {
    const seen = new Set<string>();
    rules.forEach(({ [name]: value }, index) => {
      if (seen.has(value)) {
        throw refusal(400, 20000, `${name} "${value}" is not unique`, `/rules/${index}/${name}`);
      }
      seen.add(value);
    });
  }
}

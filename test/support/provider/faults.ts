import { isObject, type ObjectValue, sameValue, type Value } from './protocol/value';
import { type Provider, type Resource } from './resource';
import { type Major } from './schema/load-schema';

/**
 * Deliberate faults, each one that a stand-in might well have. They are there to show that the
 * tables would notice: a provider that only echoes proves nothing.
 */
export type Fault =
  | 'echo-config'
  | 'ignore-ref'
  | 'enabled-defaults-true-in-3'
  | 'tolerate-unknown-top-level'
  | 'lists-as-sets'
  | 'any-import-id';

/** Terraform tolerates what a faulty plan says, as it does for SDKv2: or it would notice itself. */
const tolerated = { legacy: true };

const faults: Record<Fault, (resource: Resource, major: Major) => Partial<Resource>> = {
  'echo-config': (resource) => ({
    ...tolerated,
    read: (state) => Promise.resolve({ state }),
    plan: (request) => {
      const echoed = request.prior ?? resource.plan(request).planned;
      return { planned: echoed, requiresReplace: [] };
    },
  }),
  'ignore-ref': (resource) => ({
    ...tolerated,
    plan: ({ prior, proposed, config }) =>
      resource.plan({
        prior,
        config: overRules(config, (rule) => ({ ...rule, ref: null })),
        proposed: overRules(proposed, (rule, at) => ({ ...rule, ref: refAt(prior, at) })),
      }),
  }),
  'enabled-defaults-true-in-3': (resource, major) => ({
    plan: (request) =>
      resource.plan({
        ...request,
        config:
          major === 3
            ? overRules(request.config, (rule) => ({ ...rule, enabled: rule['enabled'] ?? true }))
            : request.config,
      }),
  }),
  'tolerate-unknown-top-level': ({ schema, ...resource }) => ({
    schema: {
      ...schema,
      block: {
        ...schema.block,
        attributes: { ...schema.block.attributes, foo: { type: 'string', optional: true } },
      },
    },
    upgrade: (version, state) => ({ foo: null, ...resource.upgrade(version, state) }),
    importState: async (id, http) => ({ foo: null, ...(await resource.importState(id, http)) }),
    read: async (state, http) => {
      const answer = await resource.read(state, http);
      return { ...answer, state: answer.state && { foo: null, ...answer.state } };
    },
    plan: (request) => {
      const plan = resource.plan({ ...request, prior: without(request.prior, 'foo') });
      return { ...plan, planned: { ...plan.planned, foo: request.config['foo'] ?? null } };
    },
  }),
  'lists-as-sets': (resource) => ({
    ...tolerated,
    plan: ({ prior, proposed, config }) =>
      resource.plan({
        prior,
        proposed: inOrderOf(prior, proposed) as ObjectValue,
        config: inOrderOf(prior, config) as ObjectValue,
      }),
  }),
  'any-import-id': (resource, major) => ({
    importState: (id, http) => {
      const [ruleset = '', zone = '0123456789abcdef0123456789abcdef'] = id.split('/').reverse();
      return resource.importState(`${major === 5 ? 'zones' : 'zone'}/${zone}/${ruleset}`, http);
    },
  }),
};

/** A provider whose `cloudflare_ruleset` has a fault. */
export function withFault(provider: Provider, fault: Fault, major: Major): Provider {
  const ruleset = provider.resources['cloudflare_ruleset']!;
  const faulty = { ...ruleset, ...faults[fault](ruleset, major) };
  return { ...provider, resources: { ...provider.resources, cloudflare_ruleset: faulty } };
}

function overRules(
  ruleset: ObjectValue,
  change: (rule: ObjectValue, at: number) => ObjectValue,
): ObjectValue {
  const rules = ruleset['rules'];
  if (!Array.isArray(rules)) return ruleset;
  return {
    ...ruleset,
    rules: rules.map((rule, at) => (isObject(rule) ? change(rule, at) : rule)),
  };
}

function refAt(ruleset: ObjectValue | null, at: number): Value {
  const rules = ruleset?.['rules'];
  const rule = Array.isArray(rules) ? rules[at] : undefined;
  return isObject(rule) ? (rule['ref'] ?? null) : null;
}

function without(value: ObjectValue | null, name: string): ObjectValue | null {
  return (
    value && Object.fromEntries(Object.entries(value).filter(([attribute]) => attribute !== name))
  );
}

/** Lists of text in the order that they have in another value, if they hold the same there. */
function inOrderOf(other: Value | undefined, value: Value): Value {
  if (Array.isArray(value)) {
    const same = Array.isArray(other) && sameValue(other.toSorted(), value.toSorted());
    if (same && value.every((item) => typeof item === 'string')) return other;
    return value.map((item, at) => inOrderOf(Array.isArray(other) ? other[at] : undefined, item));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      inOrderOf(isObject(other) ? other[key] : undefined, part),
    ]),
  );
}

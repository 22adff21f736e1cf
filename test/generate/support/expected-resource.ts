import { type RuleAnswer, type RulesetAnswer } from './arbitrary-ruleset';

export const ZONE = '0123456789abcdef0123456789abcdef';
type Part = Record<string, any>;

/** What a stack for provider 5 must hold of a live answer: all of it, but what the API computes. */
export function expectedResource(answer: RulesetAnswer, major: 3 | 4 | 5): Part {
  return {
    zone_id: ZONE,
    name: answer.name,
    kind: answer.kind,
    phase: answer.phase,
    ...(answer.description ? { description: answer.description } : {}),
    rules: answer.rules.map((rule) => (major === 5 ? plainRule(rule) : blockRule(rule, major))),
  };
}

function plainRule(rule: RuleAnswer): Part {
  const { description, action_parameters, ...rest } = rule;
  return {
    ...without(rest, ['id', 'version', 'last_updated']),
    ...(description ? { description } : {}),
    ...(action_parameters ? { action_parameters: without(action_parameters, ['version']) } : {}),
  };
}

function without(part: Part, names: string[]): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !names.includes(name)));
}

/** Provider 3 and 4: each object is a block, and so a list; 3 has no refs, and says status. */
function blockRule(rule: RuleAnswer, major: 3 | 4): Part {
  const expected = plainRule(rule);
  if (major === 3) delete expected['ref'];
  for (const name of ['action_parameters', 'logging', 'exposed_credential_check']) {
    if (expected[name] !== undefined) expected[name] = [{ ...expected[name] }];
  }
  for (const parameters of expected['action_parameters'] ?? []) {
    if (parameters.rules !== undefined) {
      const lists = Object.entries(parameters.rules as Record<string, string[]>);
      parameters.rules = Object.fromEntries(lists.map(([key, ids]) => [key, ids.join(',')]));
    }
    for (const name of ['overrides', 'matched_data']) {
      if (parameters[name] !== undefined) parameters[name] = [parameters[name]];
    }
  }
  return major === 3 ? withStatus(expected) : expected;
}

function withStatus(rule: Part): Part {
  const swap = (part: Part): Part => {
    const { enabled, ...rest } = part;
    return enabled === undefined ? part : { ...rest, status: enabled ? 'enabled' : 'disabled' };
  };
  const logging = rule['logging']?.map(swap);
  const parameters = rule['action_parameters']?.map((part: Part) => ({
    ...part,
    ...(part['overrides'] && {
      overrides: part['overrides'].map((overrides: Part) => ({
        ...swap(overrides),
        ...(overrides['rules'] && { rules: overrides['rules'].map(swap) }),
        ...(overrides['categories'] && { categories: overrides['categories'].map(swap) }),
      })),
    }),
  }));
  return {
    ...rule,
    ...(logging && { logging }),
    ...(parameters && { action_parameters: parameters }),
  };
}

import { type Row } from './row';

/** Rows about the ruleset itself, and about what every rule has. */
export const rulesetRows: Row[] = [
  { name: 'nothing changed', plans: 'E E E' },
  {
    name: 'all refs omitted',
    config: ({ resource }) => {
      for (const rule of resource.rules) delete rule['ref'];
    },
    plans: '- E E',
  },
  {
    name: 'ref given',
    config: ({ resource }) => {
      resource.rules.forEach((rule, at) => (rule['ref'] ??= `rule_${at}`));
    },
    plans: 'X E E',
    says: { 3: 'Value for unconfigurable attribute' },
  },
  {
    name: 'ref changed',
    config: (edit) => (edit.rule(4)['ref'] = 'renamed'),
    plans: '- D D',
    says: {
      4: /id += "5{32}" -> \(known after apply\) ~ ref += "5{32}" -> "renamed"/,
      5: /id += "5{32}" -> \(known after apply\) \+ logging += \(known after apply\) ~ ref /,
    },
  },
  {
    name: 'rule description "" where the service has none',
    config: (edit) => (edit.rule(1)['description'] = ''),
    plans: 'E E E',
  },
  {
    name: 'rule description null where the service has none',
    config: (edit) => (edit.rule(1)['description'] = null),
    plans: 'E E E',
  },
  {
    name: 'rule description omitted where the service has text',
    config: (edit) => delete edit.rule(0)['description'],
    plans: 'D E D',
    says: { 3: /description += "Office.*-> null/ },
  },
  {
    name: 'rule description "" where the service has text',
    config: (edit) => (edit.rule(0)['description'] = ''),
    plans: 'D D D',
  },
  {
    name: 'enabled omitted where the service has true',
    config: (edit) => delete edit.rule(0)['enabled'],
    plans: 'D E E',
    says: { 3: /enabled += true -> null/ },
  },
  {
    name: 'enabled omitted where the service has false',
    config: (edit) => delete edit.rule(5)['enabled'],
    plans: 'E E D',
    says: { 5: /enabled += false -> true/ },
  },
  { name: 'ruleset description omitted where the service has ""', plans: 'E E E' },
  {
    name: 'ruleset description "" where the service has ""',
    config: ({ resource }) => (resource['description'] = ''),
    plans: 'E E E',
  },
  {
    name: 'ruleset description omitted where the service has text',
    api: (ruleset) => (ruleset['description'] = 'text'),
    plans: 'D E D',
  },
  {
    name: 'ruleset description omitted where the service has no key',
    api: (ruleset) => delete ruleset['description'],
    plans: 'E E D',
  },
  {
    name: 'ruleset description "" where the service has no key',
    api: (ruleset) => delete ruleset['description'],
    config: ({ resource }) => (resource['description'] = ''),
    plans: 'E E D',
  },
  {
    name: 'name differs',
    config: ({ resource }) => (resource['name'] = 'other'),
    plans: 'R R R',
  },
  {
    name: 'kind differs',
    config: ({ resource }) => (resource['kind'] = 'custom'),
    plans: 'D D R',
  },
  ...['\n', ' '].map((space): Row => ({
    name: `expression with ${JSON.stringify(space)} at its end`,
    config: (edit) => (edit.rule(3)['expression'] = `true${space}`),
    plans: 'D D D',
  })),
  {
    name: 'expression with more space inside',
    config: (edit) => (edit.rule(1)['expression'] = 'http.request.uri.path  eq "/healthz"'),
    plans: 'D D D',
  },
  {
    name: 'rules in another order',
    config: ({ resource }) => resource.rules.reverse(),
    plans: 'D D D',
  },
  {
    name: 'rule id given',
    config: (edit) => (edit.rule(0)['id'] = '11111111111111111111111111111111'),
    plans: 'X X X',
  },
  {
    name: 'rule id null',
    config: (edit) => (edit.rule(0)['id'] = null),
    plans: '- - E',
  },
  {
    name: 'nulls for what is not set',
    config: (edit) => {
      edit.resource['account_id'] = null;
      edit.parameters(0)['phases'] = null;
      edit.rule(1)['description'] = null;
    },
    plans: 'E E E',
  },
  {
    name: 'fields in the answer that no schema has',
    api: (ruleset) => {
      ruleset['shiny'] = { new: true };
      ruleset.rules[0]!['categories'] = ['a'];
      ruleset.rules[3]!['action_parameters'].novel = 1;
    },
    plans: 'E E E',
  },
  ...([undefined, []] as const).map((rules): Row => ({
    name: rules ? 'no rules, and an empty list of them' : 'no rules, and none configured',
    api: (ruleset) => (ruleset.rules = []),
    config: ({ resource }) => Object.assign(resource, { rules }),
    plans: 'E E E',
  })),
];

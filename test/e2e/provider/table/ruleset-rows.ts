import { type Row, row } from './row';

/** Rows about the ruleset itself, and about what every rule has. */
export const rulesetRows: Row[] = [
  row('E E E', 'nothing changed'),
  row('- E E', 'all refs omitted', {
    config: ({ resource }) => {
      for (const rule of resource.rules) delete rule['ref'];
    },
  }),
  row('X E E', 'ref given', {
    config: ({ resource }) => {
      resource.rules.forEach((rule, at) => (rule['ref'] ??= `rule_${at}`));
    },
    says: { 3: 'Value for unconfigurable attribute' },
  }),
  row('- D D', 'ref changed', {
    config: (edit) => (edit.rule(4)['ref'] = 'renamed'),
    says: {
      4: /id += "5{32}" -> \(known after apply\) ~ ref += "5{32}" -> "renamed"/,
      5: /id += "5{32}" -> \(known after apply\) \+ logging += \(known after apply\) ~ ref /,
    },
  }),
  row('E E E', 'rule description "" where the service has none', {
    config: (edit) => (edit.rule(1)['description'] = ''),
  }),
  row('E E E', 'rule description null where the service has none', {
    config: (edit) => (edit.rule(1)['description'] = null),
  }),
  row('D E D', 'rule description omitted where the service has text', {
    config: (edit) => delete edit.rule(0)['description'],
    says: { 3: /description += "Office.*-> null/ },
  }),
  row('D D D', 'rule description "" where the service has text', {
    config: (edit) => (edit.rule(0)['description'] = ''),
  }),
  row('D E E', 'enabled omitted where the service has true', {
    config: (edit) => delete edit.rule(0)['enabled'],
    says: { 3: /enabled += true -> null/ },
  }),
  row('E E D', 'enabled omitted where the service has false', {
    config: (edit) => delete edit.rule(5)['enabled'],
    says: { 5: /enabled += false -> true/ },
  }),
  row('E E E', 'ruleset description omitted where the service has ""'),
  row('E E E', 'ruleset description "" where the service has ""', {
    config: ({ resource }) => (resource['description'] = ''),
  }),
  row('D E D', 'ruleset description omitted where the service has text', {
    api: (ruleset) => (ruleset['description'] = 'text'),
  }),
  row('E E D', 'ruleset description omitted where the service has no key', {
    api: (ruleset) => delete ruleset['description'],
  }),
  row('E E D', 'ruleset description "" where the service has no key', {
    api: (ruleset) => delete ruleset['description'],
    config: ({ resource }) => (resource['description'] = ''),
  }),
  row('R R R', 'name differs', { config: ({ resource }) => (resource['name'] = 'other') }),
  row('D D R', 'kind differs', { config: ({ resource }) => (resource['kind'] = 'custom') }),
  ...['\n', ' '].map((space): Row =>
    row('D D D', `expression with ${JSON.stringify(space)} at its end`, {
      config: (edit) => (edit.rule(3)['expression'] = `true${space}`),
    }),
  ),
  row('D D D', 'expression with more space inside', {
    config: (edit) => (edit.rule(1)['expression'] = 'http.request.uri.path  eq "/healthz"'),
  }),
  row('D D D', 'rules in another order', { config: ({ resource }) => resource.rules.reverse() }),
  row('X X X', 'rule id given', {
    config: (edit) => (edit.rule(0)['id'] = '11111111111111111111111111111111'),
  }),
  row('- - E', 'rule id null', { config: (edit) => (edit.rule(0)['id'] = null) }),
  row('E E E', 'nulls for what is not set', {
    config: (edit) => {
      edit.resource['account_id'] = null;
      edit.parameters(0)['phases'] = null;
      edit.rule(1)['description'] = null;
    },
  }),
  row('E E E', 'fields in the answer that no schema has', {
    api: (ruleset) => {
      ruleset['shiny'] = { new: true };
      ruleset.rules[0]!['categories'] = ['a'];
      ruleset.rules[3]!['action_parameters'].novel = 1;
    },
  }),
  ...([undefined, []] as const).map((rules): Row =>
    row('E E E', rules ? 'no rules, and an empty list of them' : 'no rules, and none configured', {
      api: (ruleset) => (ruleset.rules = []),
      config: ({ resource }) => Object.assign(resource, { rules }),
    }),
  ),
];

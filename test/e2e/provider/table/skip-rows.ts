import { type Row, row } from './row';

/** Rows about skip rules: their lists, and their logging. */
export const skipRows: Row[] = [
  row('D D E', 'logging of a skip rule omitted where the service has it', {
    config: (edit) => delete edit.rule(0)['logging'],
  }),
  row('D D D', 'logging given where the service has none', {
    config: (edit) => {
      edit.setLogging(3, true);
    },
  }),
  row('D D E', 'logging of an execute rule omitted where the service has it', {
    api: ({ rules }) => (rules[3]!['logging'] = { enabled: true }),
  }),
  row('E E D', 'rulesets in another order', {
    config: (edit) => edit.parameters(0)['rulesets'].reverse(),
  }),
  ...Object.entries({
    products: ['waf', 'bic', 'securityLevel'],
    phases: ['http_request_firewall_managed', 'http_ratelimit'],
  }).flatMap(([list, values]): Row[] => {
    const api: NonNullable<Row['api']> = ({ rules }) =>
      (rules[2]!['action_parameters'] = { [list]: values });
    const configured = (order: string[]): NonNullable<Row['config']> => {
      return (edit) => (edit.rule(2)['action_parameters'] = edit.nested({ [list]: order }));
    };
    const reversed = values.toReversed();
    return [
      row('E E E', `${list} in order`, { api, config: configured(values) }),
      row('E E D', `${list} in another order`, { api, config: configured(reversed) }),
    ];
  }),
  row('D D D', 'ids of skipped rules in another order', {
    config: (edit) => {
      const rules = edit.parameters(1)['rules'] as Record<string, string | string[]>;
      for (const [ruleset, ids] of Object.entries(rules)) {
        rules[ruleset] =
          typeof ids === 'string' ? ids.split(',').reverse().join(',') : ids.reverse();
      }
    },
  }),
  row('D D X', 'ids of skipped rules with ", " between them', {
    config: (edit) => {
      const rules = edit.parameters(1)['rules'] as Record<string, string | string[]>;
      for (const [ruleset, ids] of Object.entries(rules)) {
        rules[ruleset] = (typeof ids === 'string' ? ids.split(',') : ids).join(', ');
      }
    },
    says: { 5: /list of string required/ },
  }),
];

import { type Row, row } from './row';

/** What a major refuses or ignores: validators, unknown keys, keys of another major. */
export const trapRows: Row[] = [
  row('X X X', 'an unknown key at top level', {
    config: ({ resource }) => (resource['foo'] = 'x'),
  }),
  row('X X E', 'an unknown key in a rule', { config: (edit) => (edit.rule(0)['foo'] = 'x') }),
  row('X X E', 'an unknown key in an override', {
    config: (edit) => (edit.overrides(3)['rules'][0].enabeld = false),
  }),
  row('- X E', '"status" beside "enabled" in an override', {
    config: (edit) => (edit.overrides(3)['rules'][1].status = 'disabled'),
  }),
  row('- X D', '"status" in place of "enabled" in an override', {
    config: (edit) => {
      const override = edit.overrides(3)['rules'][0];
      delete override.enabled;
      override.status = 'disabled';
    },
  }),
  row('- X E', 'version and last_updated of a rule, null', {
    config: (edit) => Object.assign(edit.rule(0), { version: null, last_updated: null }),
  }),
  row('D - -', '"enabled" of provider 4 in overrides and logging', {
    config: ({ resource }) => {
      const swap = (_key: string, part: any): any => {
        if (typeof part?.status !== 'string') return part;
        const { status, ...rest } = part;
        return { ...rest, enabled: status === 'enabled' };
      };
      resource.rules = JSON.parse(JSON.stringify(resource.rules), swap);
    },
    says: { 3: 'Argument is deprecated' },
  }),
  row('- X -', '"status" of provider 3 in overrides and logging', {
    config: ({ resource }) => {
      for (const rule of resource.rules) {
        const swap = (_key: string, part: any): any => {
          if (typeof part?.enabled !== 'boolean') return part;
          const { enabled, ...rest } = part;
          return { ...rest, status: enabled ? 'enabled' : 'disabled' };
        };
        for (const key of ['logging', 'action_parameters']) {
          if (key in rule) rule[key] = JSON.parse(JSON.stringify(rule[key]), swap);
        }
      }
    },
  }),
  row('- - X', 'zone_id in capitals', {
    config: ({ resource }) => (resource['zone_id'] = resource['zone_id'].toUpperCase()),
  }),
  row('- - X', 'an override of an id that is none', {
    config: (edit) => (edit.overrides(3)['rules'][0].id = '100000'),
  }),
  row('- - X', 'an override of an id and nothing else', {
    config: (edit) => (edit.overrides(3)['rules'][0] = { id: '5de7edfa648c4d6891dc3e7f84534ffa' }),
  }),
  row('- - X', 'overrides of a skip rule', {
    config: (edit) => (edit.parameters(0)['overrides'] = { action: 'log' }),
  }),
  row('- - X', 'no action', { config: (edit) => delete edit.rule(0)['action'] }),
  row('- - X', 'lists of one where objects are due', {
    config: (edit) => (edit.rule(0)['logging'] = [{ enabled: true }]),
  }),
  row('E E E', 'text where a number or on and off is due', {
    config: (edit) => {
      edit.rule(0)['enabled'] = 'true';
      edit.overrides(4)['rules'][0].score_threshold = '25';
    },
  }),
  row('- - D', 'the same ref twice', {
    config: (edit) => (edit.rule(2)['ref'] = edit.rule(1)['ref']),
    // two rules with one id
    says: { 5: /id += "3{32}" -> "2{32}"/ },
  }),
  row('- - D', 'the same override twice', {
    config: (edit) => {
      const { rules } = edit.overrides(3);
      rules.push(structuredClone(rules[0]));
    },
  }),
];

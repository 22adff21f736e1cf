import { type Row } from './row';

/** What a major refuses or ignores: validators, unknown keys, keys of another major. */
export const trapRows: Row[] = [
  {
    name: 'an unknown key at top level',
    config: ({ resource }) => (resource['foo'] = 'x'),
    plans: 'X X X',
  },
  {
    name: 'an unknown key in a rule',
    config: (edit) => (edit.rule(0)['foo'] = 'x'),
    plans: 'X X E',
  },
  {
    name: 'an unknown key in an override',
    config: (edit) => (edit.overrides(3)['rules'][0].enabeld = false),
    plans: 'X X E',
  },
  {
    name: '"status" beside "enabled" in an override',
    config: (edit) => (edit.overrides(3)['rules'][1].status = 'disabled'),
    plans: '- X E',
  },
  {
    name: '"status" in place of "enabled" in an override',
    config: (edit) => {
      const override = edit.overrides(3)['rules'][0];
      delete override.enabled;
      override.status = 'disabled';
    },
    plans: '- X D',
  },
  {
    name: 'version and last_updated of a rule, null',
    config: (edit) => Object.assign(edit.rule(0), { version: null, last_updated: null }),
    plans: '- X E',
  },
  {
    name: '"enabled" of provider 4 in overrides and logging',
    config: ({ resource }) => {
      const swap = (_key: string, part: any): any => {
        if (typeof part?.status !== 'string') return part;
        const { status, ...rest } = part;
        return { ...rest, enabled: status === 'enabled' };
      };
      resource.rules = JSON.parse(JSON.stringify(resource.rules), swap);
    },
    plans: 'D - -',
    says: { 3: 'Argument is deprecated' },
  },
  {
    name: '"status" of provider 3 in overrides and logging',
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
    plans: '- X -',
  },
  {
    name: 'zone_id in capitals',
    config: ({ resource }) => (resource['zone_id'] = resource['zone_id'].toUpperCase()),
    plans: '- - X',
  },
  {
    name: 'an override of an id that is none',
    config: (edit) => (edit.overrides(3)['rules'][0].id = '100000'),
    plans: '- - X',
  },
  {
    name: 'an override of an id and nothing else',
    config: (edit) => (edit.overrides(3)['rules'][0] = { id: '5de7edfa648c4d6891dc3e7f84534ffa' }),
    plans: '- - X',
  },
  {
    name: 'overrides of a skip rule',
    config: (edit) => (edit.parameters(0)['overrides'] = { action: 'log' }),
    plans: '- - X',
  },
  {
    name: 'no action',
    config: (edit) => delete edit.rule(0)['action'],
    plans: '- - X',
  },
  {
    name: 'lists of one where objects are due',
    config: (edit) => (edit.rule(0)['logging'] = [{ enabled: true }]),
    plans: '- - X',
  },
  {
    name: 'text where a number or on and off is due',
    config: (edit) => {
      edit.rule(0)['enabled'] = 'true';
      edit.overrides(4)['rules'][0].score_threshold = '25';
    },
    plans: 'E E E',
  },
  {
    name: 'the same ref twice',
    config: (edit) => (edit.rule(2)['ref'] = edit.rule(1)['ref']),
    plans: '- - D',
    // Two rules with one id.
    says: { 5: /id += "3{32}" -> "2{32}"/ },
  },
  {
    name: 'the same override twice',
    config: (edit) => {
      const { rules } = edit.overrides(3);
      rules.push(structuredClone(rules[0]));
    },
    plans: '- - D',
  },
];

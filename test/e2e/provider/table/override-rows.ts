import { type Row, row } from './row';

const overrideOf = (
  at: number,
  plans: Row['plans'],
  name: string,
  change: (part: any, name: string) => void,
): Row =>
  row(plans, name, {
    config: (edit) => {
      change(edit.overrides(3)['rules'][at], edit.onOffName);
    },
  });

/** Rows about overrides. */
export const overrideRows: Row[] = [
  overrideOf(
    0,
    'D D D',
    'on or off of an override omitted where the service has it',
    (part, onOff) => Reflect.deleteProperty(part, onOff),
  ),
  row('D D D', 'on or off of an override given where the service lacks it', {
    config: (edit) => Object.assign(edit.overrides(3)['rules'][2], edit.onOff(true)),
  }),
  overrideOf(
    0,
    'D D D',
    'action of an override omitted where the service has it',
    (part) => delete part.action,
  ),
  overrideOf(1, 'X X X', 'action of an override ""', (part) => (part.action = '')),
  row('E E E', 'an override of action and off, in both', {
    api: ({ rules }) => {
      Object.assign(rules[3]!['action_parameters'].overrides.rules[0], { enabled: false });
    },
    config: (edit) => Object.assign(edit.overrides(3)['rules'][0], edit.onOff(false)),
  }),
  row('D D D', 'score_threshold omitted where the service has 25', {
    config: (edit) => delete edit.overrides(4)['rules'][0].score_threshold,
  }),
  overrideOf(
    0,
    'E D D',
    'score_threshold 0 where the service has none',
    (part) => (part.score_threshold = 0),
  ),
  overrideOf(
    0,
    'D D D',
    'sensitivity_level "default" where the service has none',
    (part) => (part.sensitivity_level = 'default'),
  ),
  ...['rules', 'categories'].map((list): Row =>
    row('D D D', `overrides of ${list} in another order`, {
      config: (edit) => edit.overrides(3)[list].reverse(),
    }),
  ),
  row('D D X', 'empty overrides given where the service has none', {
    config: (edit) => (edit.parameters(6)['overrides'] = edit.nested({})),
  }),
  row('E E X', 'empty lists inside overrides given', {
    config: (edit) => Object.assign(edit.overrides(5), { categories: [], rules: [] }),
    says: { 5: 'at least 1 elements' },
  }),
  row('D D D', 'the service has empty overrides, the configuration none', {
    api: ({ rules }) => (rules[6]!['action_parameters'].overrides = {}),
  }),
  row('- - X', 'the service has empty overrides, the configuration too', {
    api: ({ rules }) => (rules[6]!['action_parameters'].overrides = {}),
    config: (edit) => (edit.parameters(6)['overrides'] = edit.nested({})),
  }),
  row('E E D', 'the service has empty lists inside overrides', {
    api: ({ rules }) => {
      Object.assign(rules[5]!['action_parameters'].overrides, { rules: [], categories: [] });
    },
  }),
  row('E E E', 'the service has null for overrides and logging', {
    api: ({ rules }) => {
      rules[6]!['action_parameters'].overrides = null;
      rules[6]!['logging'] = null;
    },
  }),
  row('E X E', 'version "latest" in the parameters', {
    config: (edit) => (edit.parameters(3)['version'] = 'latest'),
    says: { 4: /[Ee]xtraneous|Unsupported argument/ },
  }),
  row('E E E', 'the service has version "41" in the parameters', {
    api: ({ rules }) => (rules[3]!['action_parameters'].version = '41'),
  }),
  row('E E E', 'the service has no version in the parameters', {
    api: ({ rules }) => delete rules[3]!['action_parameters'].version,
  }),
];

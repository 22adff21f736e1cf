import { type Row } from './row';

const overrideOf = (
  at: number,
  row: Omit<Row, 'config'>,
  change: (part: any, name: string) => void,
): Row => ({
  ...row,
  config: (edit) => {
    change(edit.overrides(3)['rules'][at], edit.onOffName);
  },
});

/** Rows about overrides. */
export const overrideRows: Row[] = [
  overrideOf(
    0,
    { name: 'on or off of an override omitted where the service has it', plans: 'D D D' },
    (part, onOff) => Reflect.deleteProperty(part, onOff),
  ),
  {
    name: 'on or off of an override given where the service lacks it',
    config: (edit) => Object.assign(edit.overrides(3)['rules'][2], edit.onOff(true)),
    plans: 'D D D',
  },
  overrideOf(
    0,
    { name: 'action of an override omitted where the service has it', plans: 'D D D' },
    (part) => delete part.action,
  ),
  overrideOf(1, { name: 'action of an override ""', plans: 'X X X' }, (part) => (part.action = '')),
  {
    name: 'an override of action and off, in both',
    api: ({ rules }) => {
      Object.assign(rules[3]!['action_parameters'].overrides.rules[0], { enabled: false });
    },
    config: (edit) => Object.assign(edit.overrides(3)['rules'][0], edit.onOff(false)),
    plans: 'E E E',
  },
  {
    name: 'score_threshold omitted where the service has 25',
    config: (edit) => delete edit.overrides(4)['rules'][0].score_threshold,
    plans: 'D D D',
  },
  overrideOf(
    0,
    { name: 'score_threshold 0 where the service has none', plans: 'E D D' },
    (part) => (part.score_threshold = 0),
  ),
  overrideOf(
    0,
    { name: 'sensitivity_level "default" where the service has none', plans: 'D D D' },
    (part) => (part.sensitivity_level = 'default'),
  ),
  ...['rules', 'categories'].map((list): Row => ({
    name: `overrides of ${list} in another order`,
    config: (edit) => edit.overrides(3)[list].reverse(),
    plans: 'D D D',
  })),
  {
    name: 'empty overrides given where the service has none',
    config: (edit) => (edit.parameters(6)['overrides'] = edit.nested({})),
    plans: 'D D X',
  },
  {
    name: 'empty lists inside overrides given',
    config: (edit) => Object.assign(edit.overrides(5), { categories: [], rules: [] }),
    plans: 'E E X',
    says: { 5: 'at least 1 elements' },
  },
  {
    name: 'the service has empty overrides, the configuration none',
    api: ({ rules }) => (rules[6]!['action_parameters'].overrides = {}),
    plans: 'D D D',
  },
  {
    name: 'the service has empty overrides, the configuration too',
    api: ({ rules }) => (rules[6]!['action_parameters'].overrides = {}),
    config: (edit) => (edit.parameters(6)['overrides'] = edit.nested({})),
    plans: '- - X',
  },
  {
    name: 'the service has empty lists inside overrides',
    api: ({ rules }) => {
      Object.assign(rules[5]!['action_parameters'].overrides, { rules: [], categories: [] });
    },
    plans: 'E E D',
  },
  {
    name: 'the service has null for overrides and logging',
    api: ({ rules }) => {
      rules[6]!['action_parameters'].overrides = null;
      rules[6]!['logging'] = null;
    },
    plans: 'E E E',
  },
  {
    name: 'version "latest" in the parameters',
    config: (edit) => (edit.parameters(3)['version'] = 'latest'),
    plans: 'E X E',
    says: { 4: /[Ee]xtraneous|Unsupported argument/ },
  },
  {
    name: 'the service has version "41" in the parameters',
    api: ({ rules }) => (rules[3]!['action_parameters'].version = '41'),
    plans: 'E E E',
  },
  {
    name: 'the service has no version in the parameters',
    api: ({ rules }) => delete rules[3]!['action_parameters'].version,
    plans: 'E E E',
  },
];

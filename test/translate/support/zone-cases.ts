import { type OldSettings } from '../../../src/model/old-settings';
import { exceptionCases } from './exception-cases';
import { BAD_ROBOTS, CLOUDFLARE, group, owasp, OWASP, override, rule } from './old-zone';
import { overrideCases } from './override-cases';
import { groupId, newId } from './small-catalogue';

/** A zone, and what else is known: of all that is not said there is nothing. */
export interface ZoneCase {
  readonly settings: { [K in keyof OldSettings]?: OldSettings[K] };
  readonly managedIds?: readonly string[];
}

const off = [owasp('off')];
const user = groupId('d');
const nobody = groupId('c');
const known = {
  packages: [{ id: user, name: 'USER', detectionMode: 'traditional' }],
  groups: [],
  rules: [],
};
const traditional = (name: string, packageId: string, sensitivity: string, actionMode: string) => ({
  from: name,
  packageId,
  sensitivity,
  actionMode,
});
const everyAnswer = [
  ...['PAIR', 'SEVERAL', 'ENDING', 'UNPLACED', 'NONE', 'GONE', 'STRANGER'],
  ...['R1', 'R2'],
].map((id) => rule(id, 'disable'));

const packageCases: Record<string, ZoneCase> = {
  'packages of every kind': {
    settings: {
      packages: [
        owasp('medium', 'challenge'),
        owasp('medium', 'challenge', { from: 'again' }),
        traditional('own', CLOUDFLARE, 'high', 'block'),
        traditional('user', user, 'high', 'block'),
        traditional('unknown, without values', nobody, '', ''),
        traditional('unknown, with an action', nobody, '', 'block'),
        traditional('unknown, with both', nobody, 'low', 'block'),
      ],
      known,
    },
  },
  'packages that the zone names': {
    settings: {
      packages: [
        traditional('by name', groupId('a'), 'low', 'simulate'),
        traditional('by mode', groupId('b'), 'low', 'simulate'),
        traditional('of Cloudflare', groupId('e'), 'low', 'simulate'),
        traditional('nothing', groupId('f'), 'low', 'simulate'),
      ],
      known: {
        ...known,
        packages: [
          { id: groupId('a'), name: 'the owasp rules', detectionMode: '' },
          { id: groupId('b'), name: '', detectionMode: 'anomaly' },
          { id: groupId('e'), name: 'CloudFlare', detectionMode: 'traditional' },
          { id: groupId('f'), name: 'user', detectionMode: 'traditional' },
          // what is the same in every zone is not what a zone calls it
          { id: OWASP, name: 'USER', detectionMode: 'traditional' },
        ],
      },
    },
  },
  'OWASP off': {
    settings: {
      packages: [owasp('off', 'challenge')],
      groups: [group(BAD_ROBOTS, 'off', { packageId: OWASP })],
      rules: [rule('CORE', 'disable', { packageId: undefined })],
      overrides: [override({ rules: { CORE: 'disable' }, groups: { [groupId('8')]: 'disable' } })],
    },
  },
  'OWASP of a sensitivity that nobody knows': {
    settings: { packages: [owasp('extreme'), owasp('extreme', 'block', { from: 'again' })] },
  },
  'OWASP with an action that nobody knows': { settings: { packages: [owasp('low', 'drop')] } },
  'OWASP set differently twice': {
    settings: { packages: [owasp('low', 'block'), owasp('low', 'simulate', { from: 'again' })] },
  },
  'OWASP missing, although things belong to it': {
    settings: {
      groups: [
        group(groupId('8'), 'off', { packageId: undefined }),
        group(groupId('5'), 'on', { packageId: undefined }),
      ],
      rules: [
        rule('CORE', 'disable', { packageId: undefined, from: 'a rule' }),
        rule('960015', 'disable', { packageId: undefined }),
        rule('1960015', 'on', { packageId: undefined }),
        rule('96001', 'on', { packageId: undefined }),
        rule('9600150', 'on', { packageId: undefined }),
        rule('940015', 'on', { packageId: undefined }),
      ],
      overrides: [
        override({ rules: { '960015': 'disable' }, groups: { [groupId('8')]: 'disable' } }),
      ],
    },
  },
  'nothing at all': { settings: {} },
};

const ruleCases: Record<string, ZoneCase> = {
  'rules of every mode': {
    settings: {
      packages: off,
      known,
      rules: [
        ...['default', 'on', 'off', 'simulate', 'block', 'challenge', 'drop'].map((mode, at) =>
          rule(`R${at}`, mode),
        ),
        rule('WP0025B', 'disable'),
        rule('U1', 'disable', { packageId: user }),
        rule('N1', 'disable', { packageId: nobody }),
        rule('CORE', 'disable', { packageId: undefined }),
      ],
    },
  },
  'rules with every answer': { settings: { packages: off, rules: everyAnswer } },
  'rules with every answer of a managed ruleset': {
    settings: { packages: off, rules: [...everyAnswer, rule('R3', 'disable')] },
    managedIds: [
      ...[1, 41, 71].map(newId),
      ...['1', '2'].map((digit) => `${digit.repeat(24)}00000061`),
    ],
  },
  'rules that are said twice': {
    settings: {
      packages: off,
      rules: [
        ...['block', 'block'].map((mode, at) => rule('R1', mode, { from: `same[${at}]` })),
        ...['block', 'challenge'].map((mode, at) => rule('R2', mode, { from: `torn[${at}]` })),
        ...['disable', 'off'].map((mode, at) => rule('R3', mode, { from: `words[${at}]` })),
        ...['block', 'drop'].map((mode, at) => rule('R4', mode, { from: `unknown[${at}]` })),
        ...['drop', 'block'].map((mode, at) => rule('R5', mode, { from: `first unknown[${at}]` })),
      ],
    },
  },
  'two old rules that say the same of one new rule': {
    settings: { packages: off, rules: [rule('TWIN1', 'block'), rule('TWIN2', 'block')] },
  },
  'two old rules that say different things of one new rule': {
    settings: {
      packages: off,
      rules: [rule('TWIN1', 'block'), rule('TWIN2', 'disable')],
      overrides: [override({ rules: { TWIN1: 'disable', TWIN2: 'block' } })],
    },
  },
  'one of two old rules': { settings: { packages: off, rules: [rule('TWIN2', 'challenge')] } },
};

const groupCases: Record<string, ZoneCase> = {
  'groups of every kind': {
    settings: {
      packages: off,
      groups: [
        ...['5', '6', '7', '8', '9'].map((letter) =>
          group(groupId(letter), 'off', { packageId: undefined }),
        ),
        group(groupId('1'), 'on'),
        group(groupId('2'), 'maybe'),
        group(groupId('3'), 'off', { packageId: user }),
        group(groupId('4'), 'off', { packageId: nobody }),
        ...['on', 'off'].map((mode, at) => group(groupId('0'), mode, { from: `torn[${at}]` })),
      ],
      rules: [
        rule('SHOP1', 'simulate'),
        rule('SHOP2', 'on'),
        rule('BLOG1', 'default'),
        rule('R1', 'block', { groupId: groupId('7') }),
        rule('R2', 'on'),
      ],
      known,
    },
  },
  'groups as the zone lists them': {
    settings: {
      packages: off,
      groups: ['a', 'b', '5', '6', 'e'].map((letter) => group(groupId(letter), 'off')),
      known: {
        packages: [],
        groups: [
          { id: groupId('a'), name: 'All', packageId: CLOUDFLARE, rulesCount: 2 },
          { id: groupId('b'), name: 'Some', packageId: undefined, rulesCount: 5 },
          { id: groupId('5'), name: '', packageId: undefined, rulesCount: 1 },
          { id: groupId('6'), name: 'A blog of its own', packageId: OWASP, rulesCount: undefined },
        ],
        rules: [
          { id: 'R1', groupId: groupId('a'), groupName: 'All', packageId: CLOUDFLARE },
          { id: 'TWIN1', groupId: groupId('a'), groupName: 'All', packageId: CLOUDFLARE },
          { id: 'R2', groupId: groupId('b'), groupName: undefined, packageId: CLOUDFLARE },
          { id: 'SHOP1', groupId: groupId('5'), groupName: 'Renamed', packageId: user },
          { id: 'R3', groupId: undefined, groupName: 'Nowhere', packageId: CLOUDFLARE },
        ],
      },
    },
  },
  'a group whose rules became one with rules of others': {
    settings: {
      packages: off,
      groups: [group(groupId('a'), 'off')],
      rules: [
        rule('TWIN1', 'on', { groupId: groupId('a') }),
        rule('PAIR', 'default', { groupId: groupId('a') }),
        rule('TWIN2', 'block'),
      ],
    },
  },
};

export const zoneCases: Record<string, ZoneCase> = {
  ...packageCases,
  ...ruleCases,
  ...groupCases,
  ...exceptionCases,
  ...overrideCases,
};

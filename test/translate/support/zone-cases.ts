import { exceptionCases } from './exception-cases';
import {
  BAD_ROBOTS,
  CLOUDFLARE,
  group,
  owasp,
  OWASP,
  override,
  rule,
  type Settings,
} from './old-zone';
import { groupCases, known, nobody, user } from './group-cases';
import { overlappingCases } from './overlapping-cases';
import { overrideCases } from './override-cases';
import { overrideGroupCases } from './override-group-cases';
import { richZone } from './rich-zone';
import { groupId, newId } from './small-catalogue';

/** A zone, and what else is known: of all that is not said there is nothing. */
export interface ZoneCase {
  readonly settings: Settings;
  readonly managedIds?: readonly string[];
}

const off = [owasp('off')];
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
        traditional('unknown, with a sensitivity', nobody, 'low', ''),
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
    settings: {
      packages: [owasp('extreme'), owasp('extreme', 'block', { from: 'again' })],
      rules: [rule('CORE', 'disable', { packageId: undefined })],
    },
  },
  'OWASP with an action that nobody knows': { settings: { packages: [owasp('low', 'drop')] } },
  'OWASP set differently twice': {
    settings: {
      packages: [owasp('low', 'block'), owasp('low', 'simulate', { from: 'again' })],
      rules: [rule('CORE', 'disable', { packageId: undefined })],
    },
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
        rule('100043A', 'block'),
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
  'rules that are said in several packages, and three times': {
    settings: {
      packages: off,
      known,
      rules: [
        rule('BLOG1', 'block', { from: 'ours' }),
        rule('BLOG1', 'disable', { from: 'of the customer', packageId: user }),
        ...['block', 'block', 'challenge'].map((mode, at) =>
          rule('SHOP1', mode, { from: `torn[${at}]` }),
        ),
      ],
    },
  },
  'one of two old rules that share the ending of their new one': {
    settings: { packages: off, rules: [rule('ENDING', 'disable')] },
    managedIds: [newId(61)],
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

export const zoneCases: Record<string, ZoneCase> = {
  ...packageCases,
  ...ruleCases,
  ...groupCases,
  ...exceptionCases,
  ...overrideCases,
  ...overrideGroupCases,
  ...overlappingCases,
  'everything at once': { settings: richZone },
};

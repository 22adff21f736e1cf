import { BAD_ROBOTS } from './random-zone';
import {
  bypass,
  CLOUDFLARE,
  group,
  override,
  owasp,
  OWASP,
  pageRule,
  rule,
  type Settings,
} from './legacy-zone';
import { groupId, newId } from './small-catalogue';

/** The settings of a zone, and what else is known. Unless a case says otherwise, OWASP is off. */
export interface ZoneCase extends Settings {
  readonly managedIds?: readonly string[];
}

const user = groupId('d');
const nobody = groupId('c');
const customer = {
  packages: [{ packageId: user, name: 'USER', detectionMode: 'traditional' }],
  groups: [],
  rules: [],
};
const traditional = (from: string, packageId: string, sensitivity: string, actionMode: string) => ({
  from,
  packageId,
  sensitivity,
  actionMode,
});
const everyAnswer = [...['SEVERAL', 'ENDING', 'UNPLACED', 'NONE', 'STRANGER'], ...['R1', 'R2']].map(
  (id) => rule(id, 'disable'),
);
const page = (from: string, target: string, priority: number, more: object) =>
  pageRule({ from, id: undefined, target, priority, ...more });
const wafSwitch = (value: string) => ({ from: 'settings', value });
const urls = (count: number) => Array.from({ length: count }, (_, at) => `shop.b/${at}/*`);

/** A zone with a setting of every kind, of which some are kept, changed, lost and without effect. */
const richZone: ZoneCase = {
  wafSwitch: { from: 'cloudflare_zone_settings_override.zone', value: 'on' },
  packages: [
    owasp('medium', 'challenge'),
    owasp('', '', { from: 'cloudflare_waf_package.own', packageId: CLOUDFLARE }),
    owasp('low', 'block', { from: 'cloudflare_waf_package.other', packageId: groupId('c') }),
  ],
  groups: [
    group(groupId('5'), 'off', { packageId: undefined }),
    group(groupId('7'), 'on'),
    group(groupId('8'), 'off', { packageId: undefined }),
    group(groupId('9'), 'off', { packageId: undefined }),
  ],
  rules: [
    ...['R1', 'R2', 'R3', 'R4', 'R5', 'BLOG1', 'BLOG2', 'TWIN1', 'TWIN2'].map((id) =>
      rule(id, 'disable'),
    ),
    rule('CORE', 'disable', { packageId: undefined }),
    rule('NONE', 'block', { packageId: undefined }),
    rule('STRANGER', 'block', { packageId: undefined }),
  ],
  overrides: [
    override({
      urls: urls(8),
      rules: { R1: 'block', NONE: 'block' },
      groups: { [groupId('5')]: 'disable', [groupId('9')]: 'disable' },
    }),
    override({
      from: 'cloudflare_waf_override.rewrite',
      id: 'a'.repeat(32),
      urls: ['a.b/*'],
      rewriteAction: { default: 'disable', block: 'simulate' },
    }),
    override({ from: 'cloudflare_waf_override.empty', id: undefined, urls: urls(9) }),
    override({
      from: 'cloudflare_waf_override.many_urls',
      id: 'e'.repeat(32),
      urls: urls(9).map((url) => `other-${url}`),
      rules: { R2: 'default' },
    }),
  ],
  firewallRules: [bypass(), bypass({ from: 'paused', paused: true, expression: undefined })],
  pageRules: [
    pageRule({ disableSecurity: true }),
    pageRule({ from: 'on', target: 'c.d/*', waf: 'on' }),
  ],
};

/** Zones with settings of every kind, each with its answer in test/golden/translate/zones. */
export const zoneCases: Record<string, ZoneCase> = {
  'packages of every kind': {
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
    known: customer,
  },
  'packages that the zone names': {
    packages: [
      traditional('by name', groupId('a'), 'low', 'simulate'),
      traditional('by mode', groupId('b'), 'low', 'simulate'),
      traditional('of Cloudflare', groupId('e'), 'low', 'simulate'),
      traditional('nothing', groupId('f'), 'low', 'simulate'),
    ],
    known: {
      ...customer,
      packages: [
        { packageId: groupId('a'), name: 'the owasp rules', detectionMode: '' },
        { packageId: groupId('b'), name: '', detectionMode: 'anomaly' },
        { packageId: groupId('e'), name: 'CloudFlare', detectionMode: 'traditional' },
        { packageId: groupId('f'), name: 'user', detectionMode: 'traditional' },
        // what is the same in every zone is not what a zone calls it
        { packageId: OWASP, name: 'USER', detectionMode: 'traditional' },
      ],
    },
  },
  'OWASP off': {
    packages: [owasp('off', 'challenge')],
    groups: [group(BAD_ROBOTS, 'off', { packageId: OWASP })],
    rules: [rule('CORE', 'disable', { packageId: undefined })],
  },
  'OWASP set differently twice': {
    packages: [owasp('low', 'block'), owasp('low', 'simulate', { from: 'again' })],
    rules: [rule('CORE', 'disable', { packageId: undefined })],
  },
  'OWASP missing, although things belong to it': {
    packages: [],
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
  },
  'nothing at all': { packages: [] },

  'rules of every mode': {
    known: customer,
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
  'rules with every answer': { rules: everyAnswer },
  'rules with every answer of a managed ruleset': {
    rules: [...everyAnswer, rule('R3', 'disable')],
    managedIds: [
      ...[1, 41, 71].map(newId),
      ...['1', '2'].map((digit) => `${digit.repeat(24)}00000061`),
    ],
  },
  'rules that are said twice': {
    rules: [
      ...['block', 'block'].map((mode, at) => rule('R1', mode, { from: `same[${at}]` })),
      ...['block', 'challenge'].map((mode, at) => rule('R2', mode, { from: `torn[${at}]` })),
      ...['disable', 'off'].map((mode, at) => rule('R3', mode, { from: `words[${at}]` })),
      ...['block', 'drop'].map((mode, at) => rule('R4', mode, { from: `unknown[${at}]` })),
      ...['drop', 'block'].map((mode, at) => rule('R5', mode, { from: `first unknown[${at}]` })),
    ],
  },
  'rules that are said in several packages, and three times': {
    known: customer,
    rules: [
      rule('BLOG1', 'block', { from: 'ours' }),
      rule('BLOG1', 'disable', { from: 'of the customer', packageId: user }),
      ...['block', 'block', 'challenge'].map((mode, at) =>
        rule('SHOP1', mode, { from: `torn[${at}]` }),
      ),
    ],
  },
  'two old rules that say the same of one new rule': {
    rules: [rule('TWIN1', 'block'), rule('TWIN2', 'block')],
  },
  'two old rules that say different things of one new rule': {
    rules: [rule('TWIN1', 'block'), rule('TWIN2', 'disable')],
  },
  'one of two old rules': { rules: [rule('TWIN2', 'challenge')] },

  'groups of every kind': {
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
    known: customer,
  },
  'groups as the zone lists them': {
    groups: ['a', 'b', '5', '6', 'e'].map((letter) => group(groupId(letter), 'off')),
    known: {
      packages: [],
      groups: [
        { groupId: groupId('a'), name: 'All', packageId: CLOUDFLARE, rulesCount: 2 },
        { groupId: groupId('b'), name: 'Some', packageId: undefined, rulesCount: 5 },
        { groupId: groupId('5'), name: '', packageId: undefined, rulesCount: 1 },
        {
          groupId: groupId('6'),
          name: 'A blog of its own',
          packageId: OWASP,
          rulesCount: undefined,
        },
      ],
      rules: [
        { ruleId: 'R1', groupId: groupId('a'), groupName: 'All', packageId: CLOUDFLARE },
        { ruleId: 'TWIN1', groupId: groupId('a'), groupName: 'All', packageId: CLOUDFLARE },
        { ruleId: 'R2', groupId: groupId('b'), groupName: undefined, packageId: CLOUDFLARE },
        { ruleId: 'SHOP1', groupId: groupId('5'), groupName: 'Renamed', packageId: user },
        { ruleId: 'R3', groupId: undefined, groupName: 'Nowhere', packageId: CLOUDFLARE },
      ],
    },
  },
  'rules whose package others know': {
    groups: [group(groupId('a'), 'on', { packageId: undefined })],
    rules: [
      rule('by the zone', 'disable', { packageId: undefined }),
      rule('by its group', 'disable', { packageId: undefined, groupId: groupId('8') }),
      rule('by a group of the zone', 'disable', { packageId: undefined, groupId: groupId('a') }),
      rule('by nobody', 'disable', { packageId: undefined, groupId: groupId('b') }),
    ],
    known: {
      ...customer,
      groups: [
        { groupId: groupId('a'), name: 'Own', packageId: user, rulesCount: 1 },
        { groupId: groupId('a'), name: '', packageId: undefined, rulesCount: undefined },
      ],
      rules: [{ ruleId: 'by the zone', groupId: undefined, groupName: undefined, packageId: user }],
    },
  },
  'a group that a rule alone tells of': {
    groups: [group(groupId('b'), 'off', { packageId: undefined })],
    known: {
      ...customer,
      groups: [{ groupId: groupId('b'), name: 'Own', packageId: undefined, rulesCount: undefined }],
      rules: [{ ruleId: 'U1', groupId: groupId('b'), groupName: '', packageId: user }],
    },
  },
  'groups with rules that became one': {
    groups: ['a', 'c'].map((letter) => group(groupId(letter), 'off')),
    rules: [
      rule('TWIN1', 'disable'),
      rule('TWIN2', 'challenge', { groupId: groupId('a') }),
      rule('R1', 'simulate', { groupId: groupId('c') }),
    ],
  },
  'a group whose rules became one with rules of others': {
    groups: [group(groupId('a'), 'off')],
    rules: [
      rule('TWIN1', 'on', { groupId: groupId('a') }),
      rule('R4', 'default', { groupId: groupId('a') }),
      rule('TWIN2', 'block'),
    ],
  },

  'firewall rules': {
    firewallRules: [
      bypass({ description: 'Office' }),
      bypass({ from: 'again', id: undefined }),
      bypass({
        from: 'other products',
        id: 'a-b_c0123456789abcdef',
        products: ['zoneLockdown', 'waf', 'bic'],
        expression: 'ip.src eq 192.0.2.1',
        description: 'two\nlines, and \u202e',
      }),
      bypass({ from: 'paused', paused: true }),
      bypass({ from: 'without a filter', expression: undefined }),
      bypass({ from: 'of spaces', expression: '  ' }),
      bypass({ from: 'too long', expression: `http.host eq "${'a'.repeat(4096)}"` }),
      bypass({ from: 'no bypass', action: 'block' }),
      bypass({ from: 'of others', products: ['bic'] }),
    ],
  },
  'page rules': {
    pageRules: [
      page('both', 'a.b/both/*', 9, { disableSecurity: true, waf: 'off' }),
      page('on', 'a.b/feed/on/*', 8, { waf: 'on' }),
      page('cache', 'a.b/feed/img/*', 8, {}),
      page('feed', 'a.b/feed/*', 7, { waf: 'off' }),
      page('covered', 'a.b/feed/img/x/*', 6, { waf: 'off' }),
      page('disabled', 'a.b/*', 9, { waf: 'off', active: false }),
      page('unclear', 'a.b/unclear/*', 5, { waf: 'on', disableSecurity: true }),
      page('unknown', 'a.b/unknown/*', 5, { waf: 'maybe' }),
      page('port', 'c.d:8080/x/*', 5, { waf: 'on' }),
      page('behind the port', 'c.d/x/y', 4, { waf: 'off' }),
      page('space', 'a b', 3, { waf: 'off' }),
      page('alternatives', 'e.f/x|e.f/y', 3, { disableSecurity: true }),
      page('tied, on', 'g.h/x', 2, { waf: 'on' }),
      page('tied, off', 'g.h/*', 2, { waf: 'off' }),
    ],
  },
  'page rules that others of their kind or of no request win over': {
    pageRules: [
      page('impossible', 'a b', 9, { waf: 'on' }),
      page('off', 'a.b/*', 5, { waf: 'off' }),
      page('off, too', 'a.b/x/*', 4, { waf: 'off' }),
      page('tied, on', 'g.h/x', 2, { waf: 'on' }),
      page('tied, off', 'g.h/*', 2, { waf: 'off' }),
    ],
  },
  'page rules whose expression is too long': {
    pageRules: [
      page('off', 'a.b/*', 1, { waf: 'off' }),
      ...Array.from({ length: 6 }, (_, at) =>
        page(`on ${at}`, `a.b/${'x'.repeat(700)}/${at}/*`, 2, { waf: 'on' }),
      ),
    ],
  },
  'the WAF on': { wafSwitch: wafSwitch('on') },
  'the WAF in a state that nobody knows': {
    wafSwitch: wafSwitch('maybe'),
  },
  'the WAF off': {
    packages: [owasp('high')],
    wafSwitch: wafSwitch('off'),
    firewallRules: [
      bypass(),
      bypass({ from: 'too long', expression: `http.host eq "${'a'.repeat(4096)}"` }),
    ],
    pageRules: [page('off', 'a.b/*', 1, { waf: 'off' })],
  },
  'the WAF off, but for page rules': {
    packages: [owasp('high')],
    wafSwitch: wafSwitch('off'),
    pageRules: [
      page('on', 'a.b/admin/*', 2, { waf: 'on' }),
      page('on, too', 'c.d/*', 2, { waf: 'on' }),
      page('off', 'a.b/admin/x', 3, { waf: 'off' }),
      page('tied', 'c.d/x', 2, { waf: 'off' }),
    ],
  },
  'the WAF off, but for page rules that cannot be expressed': {
    wafSwitch: wafSwitch('off'),
    pageRules: [
      page('unclear', 'a.b/unclear/*', 5, { waf: 'on', disableSecurity: true }),
      page('port', 'c.d:8080/x/*', 5, { waf: 'on' }),
      page('off', 'e.f/*', 5, { waf: 'off' }),
    ],
  },
  'the WAF off, but for page rules whose expression is too long': {
    packages: [owasp('high')],
    wafSwitch: wafSwitch('off'),
    pageRules: Array.from({ length: 6 }, (_, at) =>
      page(`on ${at}`, `a.b/${'x'.repeat(700)}/${at}/*`, 2, { waf: 'on' }),
    ),
  },

  'URI overrides': {
    packages: [owasp('high')],
    known: {
      packages: [{ packageId: user, name: 'USER', detectionMode: 'traditional' }],
      groups: [
        { groupId: groupId('a'), name: 'All', packageId: CLOUDFLARE, rulesCount: 2 },
        { groupId: groupId('f'), name: 'Of the customer', packageId: user, rulesCount: 1 },
      ],
      rules: ['R3', 'R4'].map((id) => ({
        ...{ ruleId: id, groupId: groupId('a'), groupName: 'All', packageId: CLOUDFLARE },
      })),
    },
    overrides: [
      override({
        rules: {
          ...{ R1: 'disable', R2: 'simulate', R4: 'block', NONE: 'off', CORE: 'disable' },
          ...{ SHOP1: 'drop', WP0025B: 'disable', TWIN1: 'disable' },
        },
        groups: {
          ...{ [groupId('a')]: 'disable', [groupId('5')]: 'disable', [groupId('6')]: 'block' },
          ...{ [groupId('8')]: 'disable', [groupId('9')]: 'disable', [groupId('f')]: 'disable' },
        },
        rewriteAction: { block: 'simulate', default: 'disable' },
      }),
      override({ from: 'several URLs', urls: ['https://a.b/y*', '*c.d/*'], rules: { R1: 'off' } }),
      override({ from: 'no URL', urls: [], paused: true, rewriteAction: { default: 'block' } }),
      override({ from: 'empty', urls: ['a.b/*', 'c.d/*'] }),
    ],
  },
  'URI overrides that overlap': {
    overrides: [
      override({ from: 'narrow', urls: ['a.b/x/*'], rules: { R1: 'disable', R2: 'block' } }),
      override({ from: 'wide', urls: ['c.d/*', 'a.b/*'], groups: { [groupId('5')]: 'disable' } }),
      override({ from: 'apart', urls: ['e.f/*'], description: 'E', rules: { R1: 'disable' } }),
    ],
  },

  'everything at once': richZone,
};

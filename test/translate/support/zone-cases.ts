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

/** The settings of a zone, and what else is known. OWASP is off by default. */
export interface ZoneCase extends Settings {
  readonly managedIds?: readonly string[];
}

const user = groupId('d');
const page = (from: string, target: string, priority: number, more: object) =>
  pageRule({ from, id: undefined, target, priority, ...more });
const off = { from: 'settings', value: 'off' };
/** Page rules whose expressions have together more than 4 KB. */
const many = Array.from({ length: 6 }, (_, at) =>
  page(`on ${at}`, `a.b/${'x'.repeat(700)}/${at}/*`, 2, { waf: 'on' }),
);

/** Zones with settings of every kind, each with its translation in test/golden/translate/zones. */
export const zoneCases: Record<string, ZoneCase> = {
  packages: {
    packages: [
      owasp('medium', 'challenge'),
      owasp('medium', 'challenge', { from: 'again' }),
      owasp('high', 'block', { from: 'of Cloudflare', packageId: CLOUDFLARE }),
      owasp('', '', { from: 'of the customer', packageId: user }),
    ],
  },
  'packages and rules with contradictions': {
    packages: [owasp('low', 'block'), owasp('low', 'simulate', { from: 'again' })],
    rules: [
      ...['block', 'block'].map((mode, at) => rule('R1', mode, { from: `same[${at}]` })),
      ...['block', 'challenge'].map((mode, at) => rule('R2', mode, { from: `torn[${at}]` })),
      ...['disable', 'off'].map((mode, at) => rule('R3', mode, { from: `words[${at}]` })),
      ...['block', 'drop'].map((mode, at) => rule('R4', mode, { from: `unknown[${at}]` })),
      rule('BLOG1', 'block', { from: 'ours' }),
      rule('BLOG1', 'disable', { from: 'of the customer', packageId: user }),
      rule('TWIN1', 'block'),
      rule('TWIN2', 'disable'),
    ],
  },
  'rules of every mode, and of packages without settings': {
    packages: [],
    rules: [
      ...['default', 'on', 'off', 'simulate', 'block', 'challenge', 'drop'].map((mode, at) =>
        rule(`R${at}`, mode),
      ),
      rule('WP0025B', 'disable'),
      rule('100043A', 'block'),
      rule('U1', 'disable', { packageId: user }),
      rule('CORE', 'disable', { packageId: undefined }),
      rule('960015', 'disable', { packageId: undefined }),
      rule('1960015', 'disable', { packageId: undefined }),
      rule('TWIN1', 'block'),
      rule('TWIN2', 'block'),
    ],
  },
  'rules with new rules of the zone': {
    rules: ['SEVERAL', 'ENDING', 'UNPLACED', 'NONE', 'STRANGER', 'R1', 'R2', 'R3', 'TWIN2'].map(
      (id) => rule(id, 'disable'),
    ),
    managedIds: [
      ...[1, 31, 41, 71].map(newId),
      ...['1', '2'].map((digit) => `${digit.repeat(24)}00000061`),
    ],
  },
  groups: {
    groups: [
      ...['5', '6', '7', '8', '9'].map((letter) =>
        group(groupId(letter), 'off', { packageId: undefined }),
      ),
      group(groupId('1'), 'on'),
      group(groupId('2'), 'maybe'),
      group(groupId('3'), 'off', { packageId: user }),
      ...['on', 'off'].map((mode, at) => group(groupId('0'), mode, { from: `torn[${at}]` })),
    ],
    rules: [
      rule('SHOP1', 'simulate'),
      rule('SHOP2', 'on'),
      rule('BLOG1', 'default'),
      rule('R1', 'block', { groupId: groupId('7') }),
      rule('by its group', 'disable', { packageId: undefined, groupId: groupId('8') }),
    ],
  },
  'groups as the zone lists them': {
    groups: ['a', 'b', 'c', '5', '6'].map((letter) => group(groupId(letter), 'off')),
    rules: [
      rule('TWIN2', 'challenge', { groupId: groupId('a') }),
      rule('R5', 'simulate', { groupId: groupId('c') }),
    ],
    known: {
      groups: [
        { groupId: groupId('a'), name: 'All', packageId: CLOUDFLARE, rulesCount: 3 },
        { groupId: groupId('b'), name: 'Some', packageId: undefined, rulesCount: 5 },
        { groupId: groupId('5'), name: undefined, packageId: undefined, rulesCount: 1 },
        { groupId: groupId('6'), name: 'Renamed', packageId: OWASP, rulesCount: undefined },
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
      page('tied, on', 'g.h/x', 2, { waf: 'on' }),
      page('tied, off', 'g.h/*', 2, { waf: 'off' }),
    ],
  },
  'page rules with long expressions': {
    pageRules: [page('off', 'a.b/*', 1, { waf: 'off' }), ...many],
  },
  'the WAF off': {
    packages: [owasp('high')],
    wafSwitch: off,
    firewallRules: [
      bypass(),
      bypass({ from: 'too long', expression: `http.host eq "${'a'.repeat(4096)}"` }),
    ],
    pageRules: [page('off', 'a.b/*', 1, { waf: 'off' }), ...many],
  },
  'the WAF off, except for page rules': {
    packages: [owasp('high')],
    wafSwitch: off,
    pageRules: [
      page('on', 'a.b/admin/*', 2, { waf: 'on' }),
      page('on, too', 'c.d/*', 2, { waf: 'on' }),
      page('off', 'a.b/admin/x', 3, { waf: 'off' }),
      page('tied', 'c.d/x', 2, { waf: 'off' }),
      page('port', 'c.d:8080/x/*', 5, { waf: 'on' }),
    ],
  },
  'URI overrides': {
    packages: [owasp('high')],
    known: {
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
      override({ from: 'narrow', urls: ['e.f/x/*'], rules: { R1: 'disable', R2: 'block' } }),
      override({ from: 'wide', urls: ['c.e/*', 'e.f/*'], groups: { [groupId('5')]: 'disable' } }),
    ],
  },
};

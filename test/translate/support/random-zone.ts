import fc from 'fast-check';
import { type LegacySettings } from '../../../src/translate/source/legacy-settings';
import { CLOUDFLARE, OWASP, ZONE } from './legacy-zone';

/** A group of the OWASP package. */
const BAD_ROBOTS = '07d700cf30fda7548be94ff01087d0c4';
/** Groups of the Cloudflare package, with names that the catalogue knows. */
const DRUPAL = '8df6c9aaddcbdf0eceb047bc50873697';
const SPECIALS = 'f90712123fb02287348dd34c0a282bb9';
const hostile = fc.constantFrom(
  '',
  '__proto__',
  'constructor',
  '\u001b[31m',
  '<script>',
  '| a | b |',
  '```',
  'x'.repeat(300),
);
const or = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });

const mode = or(
  fc.constantFrom('default', 'disable', 'simulate', 'block', 'challenge', 'on', 'off'),
  hostile,
);
const groupId = or(fc.constantFrom(DRUPAL, BAD_ROBOTS, SPECIALS, '1'.repeat(32)), hostile);
const ruleId = or(
  fc.constantFrom(
    '100532',
    '100533',
    '100015',
    '100000',
    '100005',
    '100016',
    '100626',
    '100626A',
    '981231',
    'WP0025B',
    'D0004',
    '999',
  ),
  hostile,
);
const packageId = fc.constantFrom(OWASP, CLOUDFLARE, 'd'.repeat(32), 'e'.repeat(32));
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const url = or(
  fc.constantFrom('a.b/*', '*/x*', 'a.b/x', '*', '*/*y', 'https://c.b/*', 'a.b/x|y'),
  hostile,
);
const map = <T>(key: fc.Arbitrary<string>, value: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(key, value), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries) as Record<string, T>);
const list = <T>(one: fc.Arbitrary<T>, maxLength = 4) => fc.array(one, { maxLength });

const drafts = {
  packages: list(
    fc.record({
      packageId,
      sensitivity: or(fc.constantFrom('high', 'medium', 'low', 'default', 'off', ''), hostile),
      actionMode: or(fc.constantFrom('simulate', 'block', 'challenge', ''), hostile),
    }),
    3,
  ),
  groups: list(
    fc.record({
      groupId,
      packageId: maybe(packageId),
      mode: or(fc.constantFrom('on', 'off', 'off'), hostile),
    }),
  ),
  rules: list(fc.record({ ruleId, packageId: maybe(packageId), groupId: maybe(groupId), mode }), 8),
  overrides: list(
    fc.record({
      id: maybe(fc.constantFrom('a'.repeat(32), 'b'.repeat(32))),
      description: hostile,
      urls: list(url, 3),
      rules: map(ruleId, mode),
      groups: map(groupId, mode),
      rewriteAction: map(mode, mode),
      paused: fc.boolean(),
    }),
  ),
  firewallRules: list(
    fc.record({
      id: maybe(fc.constantFrom('a'.repeat(32), 'b'.repeat(32))),
      action: fc.constantFrom('bypass', 'bypass', 'block'),
      products: fc.constantFrom(['waf'], ['waf', 'bic'], ['bic'], []),
      expression: maybe(or(fc.constantFrom('ip.src eq 192.0.2.1', '(http.host eq "a")'), hostile)),
      paused: fc.boolean(),
      description: hostile,
    }),
  ),
  pageRules: list(
    fc.record({
      id: maybe(fc.constantFrom('a'.repeat(32))),
      target: url,
      priority: fc.integer({ min: 1, max: 3 }),
      active: fc.boolean(),
      disableSecurity: fc.boolean(),
      waf: maybe(or(fc.constantFrom('on', 'off'), hostile)),
    }),
  ),
  known: fc.record({
    groups: list(
      fc.record({
        groupId,
        name: or(fc.constantFrom('Cloudflare Drupal', 'Mine'), hostile),
        packageId: maybe(packageId),
        rulesCount: maybe(fc.nat(4)),
      }),
    ),
    rules: list(
      fc.record({
        ruleId,
        groupId: maybe(groupId),
        groupName: maybe(hostile),
        packageId: maybe(packageId),
      }),
    ),
  }),
  wafSwitch: maybe(or(fc.constantFrom('on', 'on', 'off'), hostile)),
};

/** Any settings, sensible and not, each from another place. */
export const randomZone: fc.Arbitrary<LegacySettings> = fc
  .record(drafts)
  .map(({ wafSwitch, known, ...lists }) => {
    const placed = <T extends object>(name: string, all: readonly T[]) =>
      all.map((one, at) => ({ from: `${name}[${at}]`, ...one }));
    return {
      zoneId: ZONE,
      ...(wafSwitch === undefined ? {} : { wafSwitch: { from: 'switch', value: wafSwitch } }),
      packages: placed('package', lists.packages),
      groups: placed('group', lists.groups),
      rules: placed('rule', lists.rules),
      overrides: placed('override', lists.overrides),
      firewallRules: placed('firewall', lists.firewallRules),
      pageRules: placed('page', lists.pageRules),
      known,
    };
  });

/** Every setting of a zone, named as the report names them; counted here apart from the code. */
export function settingNames(old: LegacySettings): string[] {
  const entries = (map: object, name: string) =>
    Object.keys(map).map((key) => `${name}[${JSON.stringify(key)}]`);
  return [
    ...(old.wafSwitch === undefined ? [] : [`${old.wafSwitch.from}.waf`]),
    ...old.packages.flatMap(({ from }) => [`${from}.sensitivity`, `${from}.action_mode`]),
    ...[...old.groups, ...old.rules].map(({ from }) => `${from}.mode`),
    ...old.overrides.flatMap(({ from, rules, groups, rewriteAction }) => {
      const all = [
        ...entries(rules, 'rules'),
        ...entries(groups, 'groups'),
        ...entries(rewriteAction, 'rewrite_action'),
      ];
      return (all.length === 0 ? ['urls'] : all).map((name) => `${from}.${name}`);
    }),
    ...old.firewallRules
      .filter(({ action, products }) => action === 'bypass' && products.includes('waf'))
      .map(({ from }) => `${from}.products`),
    ...old.pageRules.flatMap(({ from, disableSecurity, waf }) => [
      ...(disableSecurity ? [`${from}.actions.disable_security`] : []),
      ...(waf === undefined ? [] : [`${from}.actions.waf`]),
    ]),
  ].sort();
}

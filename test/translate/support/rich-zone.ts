import {
  bypass,
  CLOUDFLARE,
  group,
  override,
  owasp,
  pageRule,
  rule,
  type Settings,
} from './old-zone';
import { groupId } from './small-catalogue';

const urls = (count: number) => Array.from({ length: count }, (_, at) => `shop.b/${at}/*`);

/** A zone with a setting of every kind, of which some are kept, changed, lost and without effect. */
export const richZone: Settings = {
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
    ...['R1', 'R2', 'R3', 'R4', 'R5', 'BLOG1', 'BLOG2', 'TWIN1', 'TWIN2', 'PAIR'].map((id) =>
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
      priority: 2,
      rules: { R2: 'default' },
    }),
  ],
  firewallRules: [bypass(), bypass({ from: 'paused', paused: true, expression: undefined })],
  pageRules: [
    pageRule({ disableSecurity: true }),
    pageRule({ from: 'on', target: 'c.d/*', waf: 'on' }),
  ],
};

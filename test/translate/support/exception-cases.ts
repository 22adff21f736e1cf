import { bypass, override, owasp, pageRule } from './old-zone';
import { type ZoneCase } from './zone-cases';

const off = [owasp('off')];
const page = (from: string, target: string, priority: number, more: object) =>
  pageRule({ from, id: undefined, target, priority, ...more });
const wafSwitch = (value: string) => ({ from: 'settings', value });

/** Zones with what keeps requests from the WAF: firewall rules, page rules, and the switch. */
export const exceptionCases: Record<string, ZoneCase> = {
  'firewall rules': {
    settings: {
      packages: off,
      firewallRules: [
        bypass({ description: 'Office' }),
        bypass({ from: 'again', id: undefined, priority: 2 }),
        bypass({
          from: 'other products',
          id: 'a-b_c0123456789abcdef',
          priority: 1,
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
  },
  'page rules': {
    settings: {
      packages: off,
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
  },
  'page rules that others of their kind or of no request win over': {
    settings: {
      packages: off,
      pageRules: [
        page('impossible', 'a b', 9, { waf: 'on' }),
        page('off', 'a.b/*', 5, { waf: 'off' }),
        page('off, too', 'a.b/x/*', 4, { waf: 'off' }),
        page('tied, on', 'g.h/x', 2, { waf: 'on' }),
        page('tied, off', 'g.h/*', 2, { waf: 'off' }),
      ],
    },
  },
  'page rules whose expression is too long': {
    settings: {
      packages: off,
      pageRules: [
        page('off', 'a.b/*', 1, { waf: 'off' }),
        ...Array.from({ length: 6 }, (_, at) =>
          page(`on ${at}`, `a.b/${'x'.repeat(700)}/${at}/*`, 2, { waf: 'on' }),
        ),
      ],
    },
  },
  'the WAF on': { settings: { packages: off, wafSwitch: wafSwitch('on') } },
  'the WAF in a state that nobody knows': {
    settings: { packages: off, wafSwitch: wafSwitch('maybe') },
  },
  'the WAF off': {
    settings: {
      packages: [owasp('high')],
      wafSwitch: wafSwitch('off'),
      firewallRules: [
        bypass(),
        bypass({ from: 'too long', expression: `http.host eq "${'a'.repeat(4096)}"` }),
      ],
      pageRules: [page('off', 'a.b/*', 1, { waf: 'off' })],
    },
  },
  'the WAF off, but for page rules': {
    settings: {
      packages: [owasp('high')],
      wafSwitch: wafSwitch('off'),
      pageRules: [
        page('on', 'a.b/admin/*', 2, { waf: 'on' }),
        page('on, too', 'c.d/*', 2, { waf: 'on' }),
        page('off', 'a.b/admin/x', 3, { waf: 'off' }),
        page('tied', 'c.d/x', 2, { waf: 'off' }),
      ],
    },
  },
  'the WAF off, but for page rules that cannot be expressed': {
    settings: {
      packages: off,
      wafSwitch: wafSwitch('off'),
      pageRules: [
        page('unclear', 'a.b/unclear/*', 5, { waf: 'on', disableSecurity: true }),
        page('port', 'c.d:8080/x/*', 5, { waf: 'on' }),
        page('off', 'e.f/*', 5, { waf: 'off' }),
      ],
    },
  },
  'the WAF off, but for page rules that are too long beside an override': {
    settings: {
      packages: off,
      wafSwitch: wafSwitch('off'),
      pageRules: [page('on', `a.b/${'x'.repeat(990)}`, 2, { waf: 'on' })],
      overrides: [
        override({
          urls: ['x', 'y', 'z'].map((letter) => `a.b/${letter.repeat(990)}`),
          rules: { R1: 'block' },
        }),
      ],
    },
  },
  'the WAF off, but for page rules whose expression is too long': {
    settings: {
      packages: [owasp('high')],
      wafSwitch: wafSwitch('off'),
      pageRules: Array.from({ length: 6 }, (_, at) =>
        page(`on ${at}`, `a.b/${'x'.repeat(700)}/${at}/*`, 2, { waf: 'on' }),
      ),
    },
  },
};

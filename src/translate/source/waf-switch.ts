import { type Finding } from '../../core/finding';
import { objects, type Placed, text } from './state-attributes';

/** A switch of the previous WAF as a whole, `on` or `off`, and where it was found. */
export interface WafSwitch {
  readonly from: string;
  readonly value: string;
}

/** Of several that contradict each other the one that protects counts, whatever their order. */
export function switchesOf(placed: readonly Placed[]): WafSwitch[] {
  const switches = placed
    .filter(({ type }) => type === 'cloudflare_zone_settings_override')
    .flatMap(readSwitch);
  const rank = ({ value }: WafSwitch): number => (value === 'on' ? 0 : 1);
  return switches.sort((a, b) => rank(a) - rank(b) || (a.from < b.from ? -1 : 1));
}

/** The state may be older than what the service has; where two resources set one switch, the last apply won. */
export function contradiction(zoneId: string, placed: readonly Placed[]): Finding[] {
  const [first, ...others] = switchesOf(placed);
  const other = others.find(({ value }) => value !== first?.value);
  if (first === undefined || other === undefined) return [];
  return [
    {
      code: 'SWITCHES_CONTRADICT',
      severity: 'decision',
      subject: zoneId,
      message: `the previous WAF is "${first.value}" by ${first.from}, and "${other.value}" by ${other.from}: the first is taken`,
      remedy: 'look which of the two the service has, and take the other out of the configuration',
    },
  ];
}

/** The switch among the settings of a zone, where it is set. */
export function readSwitch({ from, attributes }: Placed): WafSwitch[] {
  return objects(attributes, 'settings').flatMap((settings) => {
    const value = text(settings, 'waf');
    return value === '' ? [] : [{ from: `${from}.settings[0]`, value }];
  });
}

import { type Zone } from '../zone';
import { type ConfigRule } from './config-rule';
import { convertExceptions, switchedOn } from './exceptions';
import { convertManaged } from './managed';
import { convertOwasp } from './owasp';

/** The new configuration of a zone: spec, part "Get new WAF configuration". */
export interface NewConfiguration {
  readonly name: string;
  readonly rules: readonly ConfigRule[];
}

/** The entry point ruleset that is equivalent to a zone's old settings, as far as there is one. */
export function convertZone(zone: Zone): NewConfiguration {
  const { enabled, packages } = zone.oldWaf;
  const on = switchedOn(zone);
  const deployment =
    on === undefined ? { expression: 'true', enabled } : { expression: on, enabled: true };
  const managed = packages
    .filter((one) => one.detection_mode === 'traditional' && one.name === 'CloudFlare')
    .map((one) => convertManaged(one, deployment));
  const owasp = packages
    .filter((one) => one.detection_mode === 'anomaly')
    .flatMap((one) => convertOwasp(one, deployment));
  return { name: 'default', rules: [...convertExceptions(zone), ...managed, ...owasp] };
}

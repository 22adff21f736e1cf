import { type Finding } from '../../core/finding';
import { isJsonObject } from '../../core/json';
import { compareTexts, groupBy } from '../../core/lists';
import { isIdentifier } from '../../core/identifier';
import { switchingTypes } from '../../tfstate/legacy-waf-types';
import { pickLegacyResources, parseState, type State } from '../../tfstate/parse-state';
import {
  type Attributes,
  bypassesWaf,
  isTrue,
  type LegacyPageRule,
  type LegacySettings,
  type LegacySwitch,
  optionalText,
  packageSettings,
  type Placed,
  readFirewallRule,
  readGroup,
  readOverride,
  readPackage,
  readRule,
  type ReadSettings,
  text,
  wholeNumber,
} from './legacy-settings';

/** An object of a state; its place is its address. */
interface StateObject extends Placed {
  readonly type: string;
  readonly zoneId: string;
}

/**
 * Reads the legacy settings of every zone from raw Terraform states; several states can contain one zone.
 * Also reads data sources of the legacy WAF, because they show settings that no resource manages.
 * @throws MigrationError `STATE_…`
 */
export function readSettingsFromStates(states: readonly Uint8Array[]): ReadSettings {
  const placedAll = states.flatMap((bytes) => placedObjects(parseState(bytes)));
  const findings = placedAll.filter(({ zoneId }) => !isIdentifier(zoneId)).map(zoneUnknown);
  const byZone = groupBy(
    placedAll.filter(({ zoneId }) => isIdentifier(zoneId)),
    ({ zoneId }) => zoneId,
  );
  const zones = [...byZone]
    .filter(([, placed]) => placed.some(isSetting))
    .sort(([a], [b]) => compareTexts(a, b));
  return { zones: zones.map(([zoneId, placed]) => zoneSettings(zoneId, placed)), findings };
}

/** Whether a resource gives its zone legacy settings. */
function isSetting(one: StateObject): boolean {
  if (!switchingTypes.includes(one.type)) return true;
  const { wafSwitch, firewallRules, pageRules } = zoneSettings(one.zoneId, [one]);
  const switches = pageRules.filter((rule) => rule.disableSecurity || rule.waf !== undefined);
  return wafSwitch !== undefined || firewallRules.some(bypassesWaf) || switches.length > 0;
}

/** The objects of a list; provider 5 writes a list of one as an object. */
function objects(attributes: Attributes, name: string): Attributes[] {
  return [attributes[name]].flat().filter(isJsonObject);
}

/** The resources of the legacy WAF and the other types; a deposed object of these sets nothing. */
function placedObjects(state: State): StateObject[] {
  const others = state.resources
    .filter(({ mode, type }) => mode === 'managed' && switchingTypes.includes(type))
    .flatMap(({ type, instances }) => instances.map((instance) => ({ ...instance, type })))
    .filter(({ deposed }) => deposed === undefined);
  return [...pickLegacyResources(state), ...others].map(({ address, type, attributes }) => ({
    from: address,
    type,
    zoneId: text(attributes, 'zone_id'),
    attributes,
  }));
}

function zoneSettings(zoneId: string, placed: readonly StateObject[]): LegacySettings {
  const of = (type: string): StateObject[] => placed.filter((one) => one.type === type);
  const seen = (list: 'packages' | 'groups' | 'rules'): Placed[] =>
    of(`cloudflare_waf_${list}`).flatMap(({ from, attributes }) =>
      objects(attributes, list).map((entry, index) => ({
        from: `${from}.${list}[${index}]`,
        attributes: entry,
      })),
    );
  const filters = new Map(
    of('cloudflare_filter').map(({ attributes }) => [text(attributes, 'id'), attributes]),
  );
  return {
    zoneId,
    wafSwitch: readSwitch(placed),
    ...packageSettings(
      {
        packages: seen('packages').map((one) => readPackage(one)),
        groups: seen('groups').map((one) => readGroup(one)),
        rules: seen('rules').map((one) => readRule(one)),
      },
      {
        packages: of('cloudflare_waf_package').map((one) => readPackage(one, 'package_id')),
        groups: of('cloudflare_waf_group').map((one) => readGroup(one, 'group_id')),
        rules: of('cloudflare_waf_rule').map((one) => readRule(one, 'rule_id')),
      },
    ),
    overrides: of('cloudflare_waf_override').map(readOverride),
    firewallRules: of('cloudflare_firewall_rule').map((one) =>
      readFirewallRule(one, filters.get(text(one.attributes, 'filter_id'))),
    ),
    pageRules: of('cloudflare_page_rule').map(readPageRule),
  };
}

function readPageRule({ from, attributes }: Placed): LegacyPageRule {
  const actions = objects(attributes, 'actions');
  return {
    from,
    id: optionalText(attributes, 'id'),
    target: text(attributes, 'target'),
    priority: wholeNumber(attributes, 'priority') ?? 1,
    active: text(attributes, 'status') !== 'disabled',
    disableSecurity: actions.some((one) => isTrue(one, 'disable_security')),
    waf: actions.map((one) => text(one, 'waf')).find((waf) => waf !== ''),
  };
}

/** The switch of the whole legacy WAF. If several contradict, the one that protects counts. */
function readSwitch(placed: readonly StateObject[]): LegacySwitch | undefined {
  const switches = placed
    .filter(({ type }) => type === 'cloudflare_zone_settings_override')
    .flatMap(({ from, attributes }) =>
      objects(attributes, 'settings').flatMap((settings) => {
        const value = text(settings, 'waf');
        return value === '' ? [] : [{ from: `${from}.settings[0]`, value }];
      }),
    );
  return switches.find(({ value }) => value === 'on') ?? switches[0];
}

function zoneUnknown({ from, zoneId }: StateObject): Finding {
  const what = zoneId === '' ? 'has no zone id' : `has the invalid zone id "${zoneId}"`;
  return {
    code: 'ZONE_UNKNOWN',
    severity: 'decision',
    subject: from,
    message: `the resource ${what} in the state, so its setting cannot be translated`,
    remedy: 'run `terraform plan -refresh-only`, or add the setting to the new ruleset by hand',
  };
}

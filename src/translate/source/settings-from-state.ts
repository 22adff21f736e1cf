import { type Finding } from '../../core/finding';
import { isJsonObject, objectOf, textOf, textsOf } from '../../core/json';
import { groupBy } from '../../core/lists';
import { isIdentifier } from '../../core/identifier';
import { pickLegacyResources } from '../../tfstate/legacy-resources';
import { parseState } from '../../tfstate/parse-state';
import { type State } from '../../tfstate/state';
import {
  type GroupSetting,
  type LegacyFirewallRule,
  type LegacyPackages,
  type LegacyPageRule,
  type LegacySettings,
  type LegacySwitch,
  type PackageSetting,
  type ReadSettings,
  type RuleSetting,
} from '../legacy-settings';
import { packageSettings } from './package-settings';

type Attributes = Readonly<Record<string, unknown>>;

const text = (attributes: Attributes, name: string): string => textOf(attributes[name]);
const optionalText = (attributes: Attributes, name: string): string | undefined =>
  text(attributes, name) || undefined;
const isTrue = (attributes: Attributes, name: string): boolean => attributes[name] === true;

function wholeNumber(attributes: Attributes, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The objects of a list; provider 5 writes a list of one as an object. */
function objects(attributes: Attributes, name: string): Attributes[] {
  return [attributes[name]].flat().filter(isJsonObject);
}

function textMap(attributes: Attributes, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(attributes[name]));
  return Object.fromEntries(
    entries.flatMap(([key, one]) => (typeof one === 'string' ? [[key, one]] : [])),
  );
}

/** An object of a state with its address. */
interface Placed {
  readonly from: string;
  readonly type: string;
  readonly zoneId: string;
  readonly attributes: Attributes;
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
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { zones: zones.map(([zoneId, placed]) => zoneSettings(zoneId, placed)), findings };
}

/** Types other than `cloudflare_waf_…`. */
const OTHER_TYPES = [
  'cloudflare_filter',
  'cloudflare_firewall_rule',
  'cloudflare_page_rule',
  'cloudflare_zone_settings_override',
];

/** Whether a resource gives its zone legacy settings. */
function isSetting({ type, attributes }: Placed): boolean {
  if (!OTHER_TYPES.includes(type)) return true;
  if (text(attributes, 'action') === 'bypass')
    return textsOf(attributes['products']).includes('waf');
  return [...objects(attributes, 'actions'), ...objects(attributes, 'settings')].some(
    (one) => isTrue(one, 'disable_security') || text(one, 'waf') !== '',
  );
}

/** The resources of the legacy WAF and the other types; a deposed object of these sets nothing. */
function placedObjects(state: State): Placed[] {
  const others = state.resources
    .filter(({ mode, type }) => mode === 'managed' && OTHER_TYPES.includes(type))
    .flatMap(({ type, instances }) => instances.map((instance) => ({ ...instance, type })))
    .filter(({ deposed }) => deposed === undefined);
  return [...pickLegacyResources(state), ...others].map(({ address, type, attributes }) => ({
    from: address,
    type,
    zoneId: text(attributes, 'zone_id'),
    attributes,
  }));
}

function zoneSettings(zoneId: string, placed: readonly Placed[]): LegacySettings {
  const of = (type: string): Placed[] => placed.filter((one) => one.type === type);
  const filters = new Map(of('cloudflare_filter').map((one) => [text(one.attributes, 'id'), one]));
  const wafSwitch = readSwitch(placed);
  return {
    zoneId,
    ...(wafSwitch === undefined ? {} : { wafSwitch }),
    ...packagesOf(of),
    overrides: of('cloudflare_waf_override').map(({ from, attributes }) => ({
      from,
      id: optionalText(attributes, 'id'),
      description: text(attributes, 'description'),
      urls: textsOf(attributes['urls']),
      rules: textMap(attributes, 'rules'),
      groups: textMap(attributes, 'groups'),
      rewriteAction: textMap(attributes, 'rewrite_action'),
      paused: isTrue(attributes, 'paused'),
    })),
    firewallRules: of('cloudflare_firewall_rule').map((one) => readFirewallRule(one, filters)),
    pageRules: of('cloudflare_page_rule').map(readPageRule),
  };
}

type Fields = Pick<Placed, 'from' | 'attributes'>;

/** The settings that resources manage and that data sources show. */
function packagesOf(of: (type: string) => Placed[]): LegacyPackages {
  const seen = (type: string, list: string): Fields[] =>
    of(type).flatMap(({ from, attributes }) =>
      objects(attributes, list).map((entry, index) => ({
        from: `${from}.${list}[${index}]`,
        attributes: entry,
      })),
    );
  return packageSettings(
    {
      packages: seen('cloudflare_waf_packages', 'packages').map((one) => ({
        ...readPackage(one, 'id'),
        name: text(one.attributes, 'name'),
        detectionMode: text(one.attributes, 'detection_mode'),
      })),
      groups: seen('cloudflare_waf_groups', 'groups').map((one) => ({
        ...readGroup(one, 'id'),
        name: text(one.attributes, 'name'),
        rulesCount: wholeNumber(one.attributes, 'rules_count'),
      })),
      rules: seen('cloudflare_waf_rules', 'rules').map((one) => ({
        ...readRule(one, 'id'),
        groupName: optionalText(one.attributes, 'group_name'),
      })),
    },
    {
      packages: of('cloudflare_waf_package').map((one) => readPackage(one, 'package_id')),
      groups: of('cloudflare_waf_group').map((one) => readGroup(one, 'group_id')),
      rules: of('cloudflare_waf_rule').map((one) => readRule(one, 'rule_id')),
    },
  );
}

function readPackage({ from, attributes }: Fields, id: string): PackageSetting {
  return {
    from,
    packageId: text(attributes, id),
    sensitivity: text(attributes, 'sensitivity'),
    actionMode: text(attributes, 'action_mode'),
  };
}

function readGroup({ from, attributes }: Fields, id: string): GroupSetting {
  return {
    from,
    groupId: text(attributes, id),
    packageId: optionalText(attributes, 'package_id'),
    mode: text(attributes, 'mode'),
  };
}

function readRule({ from, attributes }: Fields, id: string): RuleSetting {
  return {
    from,
    ruleId: text(attributes, id),
    packageId: optionalText(attributes, 'package_id'),
    groupId: optionalText(attributes, 'group_id'),
    mode: text(attributes, 'mode'),
  };
}

function readFirewallRule(
  { from, attributes }: Placed,
  filters: ReadonlyMap<string, Placed>,
): LegacyFirewallRule {
  const filter = filters.get(text(attributes, 'filter_id'))?.attributes;
  return {
    from,
    id: optionalText(attributes, 'id'),
    action: text(attributes, 'action'),
    products: textsOf(attributes['products']),
    expression: filter === undefined ? undefined : optionalText(filter, 'expression'),
    paused: isTrue(attributes, 'paused') || (filter !== undefined && isTrue(filter, 'paused')),
    description: text(attributes, 'description'),
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
function readSwitch(placed: readonly Placed[]): LegacySwitch | undefined {
  const switches = placed
    .filter(({ type }) => type === 'cloudflare_zone_settings_override')
    .flatMap(({ from, attributes }) =>
      objects(attributes, 'settings').flatMap((settings) => {
        const value = text(settings, 'waf');
        return value === '' ? [] : [{ from: `${from}.settings[0]`, value }];
      }),
    )
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  return switches.find(({ value }) => value === 'on') ?? switches[0];
}

function zoneUnknown({ from, zoneId }: Placed): Finding {
  const what = zoneId === '' ? 'has no zone id' : `has the invalid zone id "${zoneId}"`;
  return {
    code: 'ZONE_UNKNOWN',
    severity: 'decision',
    subject: from,
    message: `the resource ${what} in the state, so its setting cannot be translated`,
    remedy: 'run `terraform plan -refresh-only`, or add the setting to the new ruleset by hand',
  };
}

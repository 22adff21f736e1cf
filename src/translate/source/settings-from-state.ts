import { type Finding } from '../../core/finding';
import { isIdentifier } from '../../core/identifier';
import { type LegacySettings } from '../legacy-settings';
import { pickOldResources } from '../../tfstate/legacy-resources';
import { type State, type StateResource } from '../../tfstate/state';
import { observedSettings } from './observed-settings';
import { contradiction, readSwitch, switchesOf } from './waf-switch';
import {
  type Attributes,
  isTrue,
  objects,
  optionalText,
  type Placed,
  text,
  textMap,
  texts,
  wholeNumber,
} from './state-attributes';

/** The old settings of every zone that states tell of. */
export interface SettingsFromState {
  /** By zone id. */
  readonly zones: readonly LegacySettings[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the settings of the previous WAF from Terraform states. A zone can be spread over several. The
 * data sources of the old packages tell of settings that no resource manages: those are taken in too,
 * with the address of the data source.
 */
export function settingsFromState(states: readonly State[]): SettingsFromState {
  const findings: Finding[] = [];
  const byZone = new Map<string, Placed[]>();
  for (const one of states.flatMap(placedObjects)) {
    if (!isIdentifier(one.zoneId)) {
      findings.push(zoneUnknown(one));
      continue;
    }
    const placed = byZone.get(one.zoneId);
    if (placed === undefined) byZone.set(one.zoneId, [one]);
    else placed.push(one);
  }
  const ofOldWaf = [...byZone]
    .filter(([, placed]) => placed.some(concernsOldWaf))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const zones = ofOldWaf.map(([zoneId, placed]) => zoneSettings(zoneId, placed));
  findings.push(...ofOldWaf.flatMap(([zoneId, placed]) => contradiction(zoneId, placed)));
  return { zones, findings };
}

function placedObjects(state: State): Placed[] {
  const old = pickOldResources(state).map(({ address, type, attributes }) =>
    place(address, type, attributes),
  );
  return [...old, ...state.resources.filter(isBeside).flatMap(placeInstances)];
}

const beside = new Set([
  'cloudflare_filter',
  'cloudflare_firewall_rule',
  'cloudflare_page_rule',
  'cloudflare_zone_settings_override',
]);
function isBeside({ mode, type }: StateResource): boolean {
  return mode === 'managed' && beside.has(type);
}

/** A deposed object is on its way out; the current one holds what is set. */
function placeInstances({ type, instances }: StateResource): Placed[] {
  return instances
    .filter(({ deposed }) => deposed === undefined)
    .map(({ address, attributes }) => place(address, type, attributes));
}

function place(from: string, type: string, attributes: Attributes): Placed {
  return { from, type, zoneId: text(attributes, 'zone_id'), attributes };
}

/** Filters, firewall rules, page rules and settings of other things alone do not make a zone of the previous WAF. */
function concernsOldWaf(placed: Placed): boolean {
  const { type, attributes } = placed;
  if (type === 'cloudflare_zone_settings_override') return readSwitch(placed).length > 0;
  if (type === 'cloudflare_firewall_rule') {
    return text(attributes, 'action') === 'bypass' && texts(attributes, 'products').includes('waf');
  }
  if (type === 'cloudflare_page_rule') {
    return objects(attributes, 'actions').some(
      (actions) => isTrue(actions, 'disable_security') || text(actions, 'waf') !== '',
    );
  }
  return type.startsWith('cloudflare_waf_');
}

function zoneSettings(zoneId: string, placed: readonly Placed[]): LegacySettings {
  const of = (type: string): Placed[] => placed.filter((one) => one.type === type);
  const filters = new Map(of('cloudflare_filter').map((one) => [text(one.attributes, 'id'), one]));
  const managed = {
    packages: of('cloudflare_waf_package').map(({ from, attributes }) => ({
      from,
      packageId: text(attributes, 'package_id'),
      sensitivity: text(attributes, 'sensitivity'),
      actionMode: text(attributes, 'action_mode'),
    })),
    groups: of('cloudflare_waf_group').map(({ from, attributes }) => ({
      from,
      groupId: text(attributes, 'group_id'),
      packageId: optionalText(attributes, 'package_id'),
      mode: text(attributes, 'mode'),
    })),
    rules: of('cloudflare_waf_rule').map(({ from, attributes }) => ({
      from,
      ruleId: text(attributes, 'rule_id'),
      packageId: optionalText(attributes, 'package_id'),
      groupId: optionalText(attributes, 'group_id'),
      mode: text(attributes, 'mode'),
    })),
  };
  const [zoneSwitch] = switchesOf(placed);
  return {
    zoneId,
    ...(zoneSwitch === undefined ? {} : { wafSwitch: zoneSwitch }),
    ...observedSettings(managed, placed),
    overrides: of('cloudflare_waf_override').map(({ from, attributes }) => ({
      from,
      id: optionalText(attributes, 'id'),
      description: text(attributes, 'description'),
      urls: texts(attributes, 'urls'),
      rules: textMap(attributes, 'rules'),
      groups: textMap(attributes, 'groups'),
      rewriteAction: textMap(attributes, 'rewrite_action'),
      paused: isTrue(attributes, 'paused'),
      priority: wholeNumber(attributes, 'priority') ?? 0,
    })),
    firewallRules: of('cloudflare_firewall_rule').map((one) => readFirewallRule(one, filters)),
    pageRules: of('cloudflare_page_rule').map(readPageRule),
  };
}

function readFirewallRule(
  { from, attributes }: Placed,
  filters: ReadonlyMap<string, Placed>,
): LegacySettings['firewallRules'][number] {
  const filter = filters.get(text(attributes, 'filter_id'))?.attributes;
  return {
    from,
    id: optionalText(attributes, 'id'),
    action: text(attributes, 'action'),
    products: texts(attributes, 'products'),
    expression: filter === undefined ? undefined : optionalText(filter, 'expression'),
    paused: isTrue(attributes, 'paused') || (filter !== undefined && isTrue(filter, 'paused')),
    // provider 3.35 writes 0 for a priority that is not set
    priority: wholeNumber(attributes, 'priority') || undefined,
    description: text(attributes, 'description'),
  };
}

function readPageRule({ from, attributes }: Placed): LegacySettings['pageRules'][number] {
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

function zoneUnknown({ from, zoneId }: Placed): Finding {
  const what =
    zoneId === '' ? 'does not hold its zone' : `holds a zone id that is none: "${zoneId}"`;
  return {
    code: 'ZONE_UNKNOWN',
    severity: 'decision',
    subject: from,
    message: `the state ${what}, so its setting cannot be carried into any ruleset`,
    remedy: 'run `terraform plan -refresh-only`, or carry the setting over by hand',
  };
}

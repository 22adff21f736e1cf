import { type LegacyPackages } from '../legacy-settings';
import {
  type Attributes,
  objects,
  optionalText,
  type Placed,
  text,
  wholeNumber,
} from './state-attributes';

interface Seen {
  readonly from: string;
  readonly attributes: Attributes;
}

/**
 * Adds what data sources saw: names and members of groups, and settings that no resource manages and
 * that are not what a package, group or rule is by itself. A resource wins over what a data source
 * saw, because it is applied after the data source was read.
 */
export function observedSettings(
  managed: Omit<LegacyPackages, 'known'>,
  placed: readonly Placed[],
): LegacyPackages {
  const packages = seen(placed, 'cloudflare_waf_packages', 'packages');
  const groups = seen(placed, 'cloudflare_waf_groups', 'groups');
  const rules = seen(placed, 'cloudflare_waf_rules', 'rules');
  const own = {
    packages: new Set(managed.packages.map(({ packageId }) => packageId)),
    groups: new Set(managed.groups.map(({ groupId }) => groupId)),
    rules: new Set(managed.rules.map(({ ruleId }) => ruleId)),
  };
  return {
    packages: [
      ...managed.packages,
      ...once(packages.filter(isSetPackage)).flatMap(({ from, attributes }) => {
        const packageId = text(attributes, 'id');
        const sensitivity = text(attributes, 'sensitivity');
        const actionMode = text(attributes, 'action_mode');
        return own.packages.has(packageId) ? [] : [{ from, packageId, sensitivity, actionMode }];
      }),
    ],
    groups: [
      ...managed.groups,
      ...once(groups.filter(({ attributes }) => text(attributes, 'mode') !== 'on')).flatMap(
        ({ from, attributes }) => {
          const groupId = text(attributes, 'id');
          const packageId = optionalText(attributes, 'package_id');
          const mode = text(attributes, 'mode');
          return own.groups.has(groupId) || mode === '' ? [] : [{ from, groupId, packageId, mode }];
        },
      ),
    ],
    rules: [
      ...managed.rules,
      ...once(rules.filter(isSetRule)).flatMap(({ from, attributes }) => {
        const ruleId = text(attributes, 'id');
        const packageId = optionalText(attributes, 'package_id');
        const groupId = optionalText(attributes, 'group_id');
        const mode = text(attributes, 'mode');
        return own.rules.has(ruleId) ? [] : [{ from, ruleId, packageId, groupId, mode }];
      }),
    ],
    known: {
      packages: packages.map(({ attributes }) => ({
        id: text(attributes, 'id'),
        name: text(attributes, 'name'),
        detectionMode: text(attributes, 'detection_mode'),
      })),
      groups: groups.map(({ attributes }) => ({
        id: text(attributes, 'id'),
        name: text(attributes, 'name'),
        packageId: optionalText(attributes, 'package_id'),
        rulesCount: wholeNumber(attributes, 'rules_count'),
      })),
      rules: rules.map(({ attributes }) => ({
        id: text(attributes, 'id'),
        groupId: optionalText(attributes, 'group_id'),
        groupName: optionalText(attributes, 'group_name'),
        packageId: optionalText(attributes, 'package_id'),
      })),
    },
  };
}

function seen(placed: readonly Placed[], type: string, list: string): Seen[] {
  return placed
    .filter((one) => one.type === type)
    .flatMap(({ from, attributes }) =>
      objects(attributes, list).map((entry, index) => ({
        from: `${from}.${list}[${index}]`,
        attributes: entry,
      })),
    );
}

/** Only the OWASP package has a sensitivity. */
function isSetPackage({ attributes }: Seen): boolean {
  return text(attributes, 'sensitivity') !== '';
}

function isSetRule({ attributes }: Seen): boolean {
  return !['', 'default', 'on'].includes(text(attributes, 'mode'));
}

/** Two data sources that saw the same say it once; if they differ, both stay: it is a contradiction. */
function once(all: readonly Seen[]): Seen[] {
  const said = new Set<string>();
  return all.filter(({ attributes }) => {
    const names = ['id', 'package_id', 'mode', 'sensitivity', 'action_mode'];
    const key = JSON.stringify(names.map((name) => text(attributes, name)));
    if (said.has(key)) return false;
    said.add(key);
    return true;
  });
}

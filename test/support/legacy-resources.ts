export interface LegacyResource {
  type: string;
  name: string;
  address: string;
  attributes: Record<string, unknown>;
  configured: Record<string, unknown>;
  block: string;
}

interface Zone {
  id: string;
  name: string;
  oldWaf: {
    settings: {
      packages: Record<string, { sensitivity: string; action_mode: string }>;
      groups: Record<string, string>;
      rules: Record<string, string>;
    };
    overrides: {
      id: string;
      urls: string[];
      rules: Record<string, string>;
      groups: Record<string, string>;
    }[];
  };
}
interface Package {
  id: string;
  groups: { id: string; rules: { id: string }[] }[];
}

/** One resource for each setting of a zone, as provider 3.35 would have stored it. */
export function oldResources(zone: Zone, packages: Package[]): LegacyResource[] {
  const { settings, overrides } = zone.oldWaf;
  const suffix = zone.name.replace(/\W+/g, '_');
  const zone_id = zone.id;
  const groups = packages.flatMap((pkg) => pkg.groups.map((group) => ({ pkg, group })));
  const resource = (type: string, name: string, configured: object, computed: object) =>
    oldResource(
      `cloudflare_waf_${type}`,
      `${name}_${suffix}`,
      { zone_id, ...configured },
      computed,
    );
  return [
    ...Object.entries(settings.packages).map(([package_id, set]) =>
      resource('package', 'package', { package_id, ...set }, { id: package_id }),
    ),
    ...Object.entries(settings.groups).map(([group_id, mode]) => {
      const { pkg } = found(
        groups.find(({ group }) => group.id === group_id),
        group_id,
      );
      return resource(
        'group',
        `group_${group_id}`,
        { group_id, mode },
        { id: group_id, package_id: pkg.id },
      );
    }),
    ...Object.entries(settings.rules).map(([rule_id, mode]) => {
      const home = groups.find(({ group }) => group.rules.some(({ id }) => id === rule_id));
      const { pkg, group } = found(home, rule_id);
      const computed = { id: rule_id, package_id: pkg.id, group_id: group.id };
      return resource('rule', `rule_${rule_id}`, { rule_id, mode }, computed);
    }),
    ...overrides.map(({ id, urls, rules, groups: grouped }, at) => {
      const maps = Object.entries({ rules, groups: grouped });
      const set = Object.fromEntries(maps.filter(([, map]) => Object.keys(map).length > 0));
      const unset = Object.fromEntries(maps.map(([name]) => [name, null]));
      const zeros = { description: '', priority: 0, paused: false, rewrite_action: null };
      return resource(
        'override',
        `override_${at}`,
        { urls, ...set },
        { ...unset, ...zeros, id, override_id: id, ...set },
      );
    }),
  ];
}

function found<T>(value: T | undefined, id: string): T {
  if (value === undefined) throw new Error(`the catalogue of the test world has no ${id}`);
  return value;
}

function oldResource(
  type: string,
  name: string,
  configured: object,
  computed: object,
): LegacyResource {
  const lines = Object.entries(configured).map(([key, value]) => `  ${key} = ${literal(value)}`);
  return {
    type,
    name,
    address: `${type}.${name}`,
    configured: { ...configured },
    attributes: Object.fromEntries(
      Object.entries({ ...configured, ...computed }).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    block: `resource "${type}" "${name}" {\n${lines.join('\n')}\n}\n`,
  };
}

/** A value in HCL; `${` and `%{` in text are not meant as templates. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

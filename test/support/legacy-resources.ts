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
  const groups = packages.flatMap(({ id, groups: all }) =>
    all.map((group) => ({ ...group, package_id: id })),
  );
  const homeOf = (id: string, has: (group: (typeof groups)[number]) => boolean) => {
    const home = groups.find(has);
    if (home === undefined) throw new Error(`the catalogue of the test world has no ${id}`);
    return home;
  };
  const resource = (kind: string, label: string, own: object, computed: object): LegacyResource => {
    const [type, name] = [`cloudflare_waf_${kind}`, `${label}_${suffix}`];
    const configured = { zone_id: zone.id, ...own };
    const lines = Object.entries(configured).map(([key, value]) => `  ${key} = ${literal(value)}`);
    const attributes = Object.entries({ ...configured, ...computed });
    return {
      ...{ type, name, address: `${type}.${name}`, configured },
      attributes: Object.fromEntries(attributes.sort(([one], [other]) => (one < other ? -1 : 1))),
      block: `resource "${type}" "${name}" {\n${lines.join('\n')}\n}\n`,
    };
  };
  return [
    ...Object.entries(settings.packages).map(([package_id, set]) =>
      resource('package', 'package', { package_id, ...set }, { id: package_id }),
    ),
    ...Object.entries(settings.groups).map(([group_id, mode]) => {
      const { package_id } = homeOf(group_id, ({ id }) => id === group_id);
      const computed = { id: group_id, package_id };
      return resource('group', `group_${group_id}`, { group_id, mode }, computed);
    }),
    ...Object.entries(settings.rules).map(([rule_id, mode]) => {
      const home = homeOf(rule_id, ({ rules }) => rules.some(({ id }) => id === rule_id));
      const computed = { id: rule_id, package_id: home.package_id, group_id: home.id };
      return resource('rule', `rule_${rule_id}`, { rule_id, mode }, computed);
    }),
    ...overrides.map(({ id, urls, rules, groups: grouped }, at) => {
      const maps = Object.entries({ rules, groups: grouped });
      const set = Object.fromEntries(maps.filter(([, map]) => Object.keys(map).length > 0));
      const unset = Object.fromEntries(maps.map(([name]) => [name, null]));
      const zeros = { description: '', priority: 0, paused: false, rewrite_action: null };
      const computed = { ...unset, ...zeros, id, override_id: id, ...set };
      return resource('override', `override_${at}`, { urls, ...set }, computed);
    }),
  ];
}

/** A value in HCL; `${` and `%{` in text are not meant as templates. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

import { idOf, stateFile } from './zones';

const provider = 'provider["registry.terraform.io/cloudflare/cloudflare"]';

/** The id of one of many zones. */
export const zoneId = (at: number): string => idOf('7', at);
export const rulesetId = (at: number): string => idOf('c', at);

/** A state with the legacy WAF of many zones: one module instance for each zone. */
export function manyZones(count: number): string {
  const resources = Array.from({ length: count }, (_, at) => resourcesOf(at)).flat();
  return stateFile(resources, '5c9b2d9e-0000-4000-8000-000000000400', { serial: 12 });
}

function resourcesOf(at: number): object[] {
  const module = `module.zone["zone-${at}.example.com"]`;
  const zone_id = zoneId(at);
  const package_id = 'c504870194831cd12c3fc0284f294abb';
  const instance = (key: string | undefined, attributes: object) => ({
    ...(key !== undefined && { index_key: key }),
    schema_version: 0,
    attributes: { zone_id, ...attributes },
    sensitive_attributes: [],
    private: 'bnVsbA==',
  });
  const resource = (type: string, name: string, instances: object[]) => ({
    module,
    mode: 'managed',
    type,
    name,
    provider,
    instances,
  });
  return [
    resource('cloudflare_record', 'www', [instance(undefined, { id: `r${at}`, name: 'www' })]),
    resource(
      'cloudflare_waf_group',
      'off',
      ['drupal', 'php'].map((key) =>
        instance(key, { id: key, group_id: key, mode: 'off', package_id }),
      ),
    ),
    resource('cloudflare_waf_package', 'owasp', [
      instance(undefined, { id: package_id, package_id, sensitivity: 'low' }),
    ]),
    resource('cloudflare_waf_rule', 'disabled', [
      instance('100000', { id: '100000', rule_id: '100000', mode: 'disable', package_id }),
    ]),
  ];
}

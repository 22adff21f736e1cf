import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { Refusal } from '../resource';
import { type SdkBehaviour } from '../sdk/sdk-resource';
import { inPackages, isGone, type Json, OldWafService } from './old-waf-service';

/** `cloudflare_waf_rule`: adopts a rule, and sets it to its default when it is destroyed. */
export const wafRule: SdkBehaviour = {
  importFormat: 'zoneID/WAFID',
  async importState([zone, id], http) {
    const waf = new OldWafService(http, zone);
    const [pkg, found] =
      (await inPackages(waf, '', (one) => waf.rule(one, id))) ??
      refuse(`Unable to find WAF Rule ${id}`);
    return { ...known(found), zone_id: zone, rule_id: id, package_id: pkg };
  },
  async read(state, http) {
    try {
      const { waf, pkg, id } = of(state, http);
      return known(await waf.rule(pkg, id));
    } catch (error) {
      if (isGone(error, 1002, 1004)) return null;
      throw error;
    }
  },
  async create(planned, http) {
    const { waf, pkg, id } = of(planned, http);
    const [home, found] =
      (await inPackages(waf, pkg, (one) => waf.rule(one, id))) ??
      refuse(`unable to find WAF Rule ${id}`);
    const mode = textOf(planned['mode']);
    if (found['mode'] !== mode) await waf.setRule(home, id, mode);
    return { ...known(await waf.rule(home, id)), package_id: home };
  },
  async update(planned, http) {
    const { waf, pkg, id } = of(planned, http);
    await waf.setRule(pkg, id, textOf(planned['mode']));
    return known(await waf.rule(pkg, id));
  },
  async destroy(state, http) {
    const { waf, pkg, id } = of(state, http);
    const found = await waf.rule(pkg, id);
    const allowed = Array.isArray(found['allowed_modes']) ? found['allowed_modes'] : [];
    const mode = allowed.includes('default') ? 'default' : 'on';
    if (found['mode'] !== mode) await waf.setRule(pkg, id, mode);
  },
};

function of(state: ObjectValue, http: CloudflareHttp) {
  return {
    waf: new OldWafService(http, textOf(state['zone_id'])),
    pkg: textOf(state['package_id']),
    id: textOf(state['rule_id']),
  };
}

function known(found: Json): ObjectValue {
  const group = found['group'] as Json | undefined;
  return {
    id: String(found['id']),
    mode: String(found['mode']),
    group_id: textOf(group?.['id']),
  };
}

function refuse(summary: string): never {
  throw new Refusal(summary);
}

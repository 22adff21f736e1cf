import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { Refusal } from '../resource';
import { type SdkBehaviour } from '../sdk/sdk-resource';
import { oneOf } from '../sdk/sdk-validate';
import { inPackages, isGone, type Json, OldWafService } from './old-waf-service';

/** `cloudflare_waf_group`: adopts a group, and turns it on when it is destroyed. */
export const wafGroup: SdkBehaviour = {
  traits: { defaults: { mode: 'on' }, replaces: ['zone_id', 'group_id'] },
  validate: (config) => oneOf(['on', 'off'], config, ['mode']),
  importFormat: 'zoneID/GroupID',
  async importState([zone, id], http) {
    const waf = new OldWafService(http, zone);
    const [pkg, found] =
      (await inPackages(waf, '', (one) => waf.group(one, id))) ??
      refuse(`Unable to find WAF Group ${id}`);
    return { ...known(found), zone_id: zone, group_id: id, package_id: pkg };
  },
  async read(state, http) {
    try {
      const { waf, pkg, id } = of(state, http);
      return known(await waf.group(pkg, id));
    } catch (error) {
      if (isGone(error, 1002, 1003)) return null;
      throw error;
    }
  },
  async create(planned, http) {
    const { waf, pkg, id } = of(planned, http);
    const [home, found] =
      (await inPackages(waf, pkg, (one) => waf.group(one, id))) ??
      refuse(`unable to find WAF Group ${id}`);
    const mode = textOf(planned['mode']);
    if (found['mode'] !== mode) await waf.setGroup(home, id, mode);
    return { ...known(await waf.group(home, id)), package_id: home };
  },
  async update(planned, http) {
    const { waf, pkg, id } = of(planned, http);
    await waf.setGroup(pkg, id, textOf(planned['mode']));
    return known(await waf.group(pkg, id));
  },
  async destroy(state, http) {
    const { waf, pkg, id } = of(state, http);
    if ((await waf.group(pkg, id))['mode'] !== 'on') await waf.setGroup(pkg, id, 'on');
  },
};

function of(state: ObjectValue, http: CloudflareHttp) {
  return {
    waf: new OldWafService(http, textOf(state['zone_id'])),
    pkg: textOf(state['package_id']),
    id: textOf(state['group_id']),
  };
}

function known(found: Json): ObjectValue {
  return { id: String(found['id']), mode: String(found['mode']) };
}

function refuse(summary: string): never {
  throw new Refusal(summary);
}

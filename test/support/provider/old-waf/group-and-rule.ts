import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { Refusal } from '../resource';
import { type SdkBehaviour } from '../sdk/sdk-resource';
import { oneOf } from '../sdk/sdk-validate';
import { inPackages, isGone, type Json, OldWafService } from './old-waf-service';

/** The differences between a group and a rule. */
interface Kind {
  noun: string;
  /** The attribute with its id. */
  key: 'group_id' | 'rule_id';
  /** The error code that means gone, beside that of its package. */
  goneCode: number;
  find: (waf: OldWafService, pkg: string, id: string) => Promise<Json>;
  set: (waf: OldWafService, pkg: string, id: string, mode: string) => Promise<Json>;
  known: (found: Json) => ObjectValue;
}

/** `cloudflare_waf_group`: adopts a group. */
export const wafGroup: SdkBehaviour = {
  ...adopting({
    ...{ noun: 'Group', key: 'group_id', goneCode: 1003 },
    find: (waf, pkg, id) => waf.group(pkg, id),
    set: (waf, pkg, id, mode) => waf.setGroup(pkg, id, mode),
    known: ({ id, mode }) => ({ id: String(id), mode: String(mode) }),
  }),
  traits: { defaults: { mode: 'on' }, replaces: ['zone_id', 'group_id'] },
  validate: (config) => oneOf(['on', 'off'], config, ['mode']),
};

/** `cloudflare_waf_rule`: adopts a rule. */
export const wafRule: SdkBehaviour = {
  ...adopting({
    ...{ noun: 'Rule', key: 'rule_id', goneCode: 1004 },
    find: (waf, pkg, id) => waf.rule(pkg, id),
    set: (waf, pkg, id, mode) => waf.setRule(pkg, id, mode),
    known: ({ id, mode, group }) => ({
      ...{ id: String(id), mode: String(mode) },
      group_id: textOf((group as Json | undefined)?.['id']),
    }),
  }),
};

function adopting({ noun, key, goneCode, find, set, known }: Kind) {
  const of = (state: ObjectValue, http: CloudflareHttp) => ({
    waf: new OldWafService(http, textOf(state['zone_id'])),
    pkg: textOf(state['package_id']),
    id: textOf(state[key]),
  });
  return {
    async read(state: ObjectValue, http: CloudflareHttp) {
      try {
        const { waf, pkg, id } = of(state, http);
        return known(await find(waf, pkg, id));
      } catch (error) {
        if (isGone(error, 1002, goneCode)) return null;
        throw error;
      }
    },
    async create(planned: ObjectValue, http: CloudflareHttp) {
      const { waf, pkg, id } = of(planned, http);
      const found = await inPackages(waf, pkg, (one) => find(waf, one, id));
      if (found === null) throw new Refusal(`unable to find WAF ${noun} ${id}`);
      const [home, before] = found;
      const mode = textOf(planned['mode']);
      if (before['mode'] !== mode) await set(waf, home, id, mode);
      return { ...known(await find(waf, home, id)), package_id: home };
    },
  };
}

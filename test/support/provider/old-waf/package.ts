import { ClientError } from '../http/cloudflare-go';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { Refusal } from '../resource';
import { type SdkBehaviour } from '../sdk/sdk-resource';
import { oneOf } from '../sdk/sdk-validate';
import { isGone, type Json, OldWafService } from './old-waf-service';

const rearmed = { sensitivity: 'high', action_mode: 'challenge' };

/** `cloudflare_waf_package`: adopts a package, and arms it again when it is destroyed. */
export const wafPackage: SdkBehaviour = {
  traits: { defaults: rearmed, replaces: ['zone_id', 'package_id'] },
  validate: (config) => [
    ...oneOf(['high', 'medium', 'low', 'off'], config, ['sensitivity']),
    ...oneOf(['simulate', 'block', 'challenge'], config, ['action_mode']),
  ],
  importFormat: 'zoneID/PackageID',
  async importState([zone, id], http) {
    return {
      ...known(await new OldWafService(http, zone).package(id)),
      zone_id: zone,
      package_id: id,
    };
  },
  async read(state, http) {
    try {
      return known(await of(state, http).package(textOf(state['package_id'])));
    } catch (error) {
      if (isGone(error, 1002)) return null;
      throw error;
    }
  },
  async create(planned, http) {
    const id = textOf(planned['package_id']);
    const found = await of(planned, http)
      .package(id)
      .catch((error: unknown) => {
        // The cause is swallowed.
        throw error instanceof ClientError
          ? new Refusal(`unable to find WAF Package ${id}`)
          : error;
      });
    return { ...(await set(planned, found, settingsOf(planned), http)), id };
  },
  async update(planned, http) {
    await of(planned, http).setPackage(textOf(planned['package_id']), settingsOf(planned));
    return {};
  },
  async destroy(state, http) {
    const found = await of(state, http).package(textOf(state['package_id']));
    await set(state, found, rearmed, http);
  },
};

function of(state: ObjectValue, http: CloudflareHttp): OldWafService {
  return new OldWafService(http, textOf(state['zone_id']));
}

function known(found: Json): ObjectValue {
  return {
    id: String(found['id']),
    sensitivity: textOf(found['sensitivity']),
    action_mode: textOf(found['action_mode']),
  };
}

function settingsOf(planned: ObjectValue) {
  return {
    sensitivity: textOf(planned['sensitivity']),
    action_mode: textOf(planned['action_mode']),
  };
}

async function set(
  state: ObjectValue,
  found: Json,
  wanted: typeof rearmed,
  http: CloudflareHttp,
): Promise<ObjectValue> {
  const differs =
    found['sensitivity'] !== wanted.sensitivity || found['action_mode'] !== wanted.action_mode;
  if (differs) await of(state, http).setPackage(textOf(state['package_id']), wanted);
  return {};
}

import { ClientError } from '../http/cloudflare-go';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { Refusal } from '../resource';
import { type SdkBehaviour } from '../sdk/sdk-resource';
import { oneOf } from '../sdk/sdk-validate';
import { isGone, type Json, OldWafService } from './old-waf-service';

/** `cloudflare_waf_package`: adopts a package. */
export const wafPackage: SdkBehaviour = {
  traits: {
    defaults: { sensitivity: 'high', action_mode: 'challenge' },
    replaces: ['zone_id', 'package_id'],
  },
  validate: (config) => [
    ...oneOf(['high', 'medium', 'low', 'off'], config, ['sensitivity']),
    ...oneOf(['simulate', 'block', 'challenge'], config, ['action_mode']),
  ],
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
        // The provider does not show the cause.
        throw error instanceof ClientError
          ? new Refusal(`unable to find WAF Package ${id}`)
          : error;
      });
    const wanted = {
      sensitivity: textOf(planned['sensitivity']),
      action_mode: textOf(planned['action_mode']),
    };
    const isSet =
      found['sensitivity'] === wanted.sensitivity && found['action_mode'] === wanted.action_mode;
    if (!isSet) await of(planned, http).setPackage(id, wanted);
    return { id };
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

import { MANAGED_RULESET, override, owasp, translate } from './old-zone';

/** With OWASP off, so that the general rule deploys the managed ruleset alone. */
export const packages = [owasp('off')];

/** A zone with one URI override; where it comes from, and where it holds. */
export const one = (parts: object, zone: object = {}) =>
  translate({ packages, overrides: [override(parts)], ...zone });
export const from = 'cloudflare_waf_override.o';
export const SHOP =
  'lower(http.host) eq "example.com" and starts_with(http.request.uri.path, "/shop/")';

/** The rule that deploys the managed ruleset for all requests. */
export const general = { action: 'execute', expression: 'true', id: MANAGED_RULESET };

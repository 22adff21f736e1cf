import { type TestClient } from './client';
import { entryPoint } from './with-emulator';

/** A scenario of one zone, which is `ID` and `one.example.com` unless something else is said. */
export const ID = '1'.repeat(32);

/** An Enterprise zone before its migration, with the given fields. */
export function oneZone(fields: object = {}, settings: object = {}): object {
  const zone = { id: ID, name: 'one.example.com', plan: 'enterprise', ...fields };
  return { name: 'one', settings, zones: [zone] };
}

/** The answer to `waf_migration/config` in phase two. */
export const configOf = async (call: TestClient, zone = ID): Promise<any> =>
  (await call('GET', `/zones/${zone}/waf_migration/config?phase_two=1`)).body.result;

/** The answer to `waf_migration/status`. */
export const statusOf = async (call: TestClient, zone = ID): Promise<any> =>
  (await call('GET', `/zones/${zone}/waf_migration/status`)).body.result;

/** Puts an entry point in one mode of the migration. */
export const migrate = (call: TestClient, mode: string, body: unknown, zone = ID) =>
  call('PUT', `${entryPoint(zone)}?phase_two=1&waf_migration=${mode}`, body);

/** A page rule for one URL. */
export const pageRule = (url: string, actions: object[], fields: object = {}) => ({
  targets: [{ target: 'url', constraint: { operator: 'matches', value: url } }],
  actions,
  status: 'active',
  ...fields,
});

export const WAF_OFF = { id: 'waf', value: 'off' };
export const WAF_ON = { id: 'waf', value: 'on' };

/** A filter and a rule by which the requests to one host bypass the WAF. */
export function bypass(index: number, expression: string, fields: object = {}) {
  const id = String(index).padStart(31, '0');
  return {
    filter: { id: `f${id}`, expression },
    rule: { id: `e${id}`, filter: `f${id}`, action: 'bypass', products: ['waf'], ...fields },
  };
}

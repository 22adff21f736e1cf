import { oldWafTypes } from './old-waf-types';

/** Whether an address without keys is of an old type: `module.zones.cloudflare_waf_rule.r`. */
export function isOldWafAddress(address: string): boolean {
  const parts = address.split('.');
  let at = 0;
  while (parts[at] === 'module') at += 2;
  const mode = parts[at] === 'data' ? 'data' : 'managed';
  const type = parts[mode === 'data' ? at + 1 : at];
  return oldWafTypes.some((old) => old.mode === mode && old.type === type);
}

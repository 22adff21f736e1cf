import { type ZoneCall } from './call';
import { type LegacyGroup, type LegacyPackage, type LegacyRule } from './old-waf';
import { refusal } from './refusal';

/**
 * The codes are those by which provider 3.35 tells that something is gone: 1002, 1003, 1004. The
 * status is 400, because with 404 it would not look at them.
 */
const notFound = (code: number, what: string) => refusal(400, code, `WAF ${what} not found`);

/** The package that a path names. @throws Refusal 400/1002 */
export function packageOf({ zone, params }: ZoneCall): LegacyPackage {
  const found = zone.oldWaf.packages.find(({ id }) => id === params['package']);
  if (found === undefined) throw notFound(1002, 'package');
  return found;
}

/** The group that a path names. @throws Refusal 400/1002 or 1003 */
export function groupOf(call: ZoneCall): LegacyGroup {
  const found = packageOf(call).groups.find(({ id }) => id === call.params['group']);
  if (found === undefined) throw notFound(1003, 'group');
  return found;
}

/** The rule that a path names, and its group. @throws Refusal 400/1002 or 1004 */
export function ruleOf(call: ZoneCall): { group: LegacyGroup; rule: LegacyRule } {
  for (const group of packageOf(call).groups) {
    const rule = group.rules.find(({ id }) => id === call.params['rule']);
    if (rule !== undefined) return { group, rule };
  }
  throw notFound(1004, 'rule');
}

import { type Ruleset, type RulesetRule } from '../../../src/core/ruleset';
import { compareZone } from '../../../src/translate/translate-zone';
import { core, managed, rulesetOf, to } from './compared-rulesets';
import { owasp, rule, SCORING, type Settings, zone } from './old-zone';
import { smallCatalogue } from './small-catalogue';

export const IP = 'ip.src eq 192.0.2.1';
export const HOST = 'http.host eq "a.com"';
const levels = [3, 4].map((one) => ({ category: `paranoia-level-${one}`, enabled: false }));
const scoring = { id: SCORING, action: 'block', score_threshold: 40, enabled: true };
export const protection = { packages: [owasp('high', 'block')], rules: [rule('R1', 'block')] };
export type More = Partial<RulesetRule>;
export const blocking = (more: More = {}) =>
  managed({ rules: [to(1, { action: 'block', enabled: true })] }, more);
export const counting = (more: More = {}) => core({ categories: levels, rules: [scoring] }, more);
export const compared = (settings: Settings, ruleset: Ruleset) =>
  compareZone(zone(settings), ruleset, { catalogue: smallCatalogue });
export const rowsOf = (settings: Settings, ...rules: More[]) =>
  compared(settings, rulesetOf(...rules)).parity.settings;
export const statusesOf = (settings: Settings, ...rules: More[]) =>
  rowsOf(settings, ...rules).map(({ attribute, status }) => [attribute, status]);
export const all = (status: string) => [
  ['sensitivity', status === 'kept' ? 'changed' : status],
  ['action_mode', status],
  ['mode', status],
];

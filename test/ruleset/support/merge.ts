import { mergeEntryPoint } from '../../../src/ruleset/merge-entry-point';
import { normaliseRuleset } from '../../../src/ruleset/normalise-ruleset';
import { parseRuleset } from '../../../src/ruleset/parse-ruleset';

export const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
export const CREDENTIALS = 'c2e184081120413c86c3ab7e14069605';
export const id = (digit: string): string => digit.repeat(32);

const blank = { id: '', version: '', ref: '', description: '', enabled: true };
export const deploy = (ruleset: string, parameters: object = {}, rest: object = {}) => ({
  ...blank,
  action: 'execute',
  expression: 'true',
  action_parameters: { id: ruleset, ...parameters },
  ...rest,
});
export const skip = (expression: string, rest: object = {}) => ({
  ...blank,
  action: 'skip',
  expression,
  action_parameters: { ruleset: 'current' },
  ...rest,
});
export const config = (...rules: object[]) => parseRuleset({ name: 'default', rules }).ruleset;
export const standing = (...rules: object[]) =>
  parseRuleset({ id: id('f'), name: 'zone', description: 'ours', rules }).ruleset;
export const merged = (...args: Parameters<typeof mergeEntryPoint>) => {
  const { ruleset, findings } = mergeEntryPoint(...args);
  return { ruleset: normaliseRuleset(ruleset), codes: findings.map(({ code }) => code) };
};

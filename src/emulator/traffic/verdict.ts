import { type Json } from '../world';

/** What one rule did to a request. */
export interface Verdict {
  /** In the words of the Rulesets API: `block`, `managed_challenge`, `log`, `skip` … */
  readonly action: string;
  readonly source: 'waf' | 'firewallmanaged' | 'firewallrules';
  readonly ruleId: string;
  readonly ref: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const terminating = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge']);

/** Whether nothing comes after it: `log`, `skip`, `allow` and `bypass` let a request go on. */
export function terminates({ action }: Pick<Verdict, 'action'>): boolean {
  return terminating.has(action);
}

/** The verdicts up to the first one that terminates. */
export function untilTerminated(verdicts: readonly Verdict[]): Verdict[] {
  const end = verdicts.findIndex(terminates);
  return end < 0 ? [...verdicts] : verdicts.slice(0, end + 1);
}

/** The texts in a list of a rule or override. */
export function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

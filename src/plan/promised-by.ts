import { type Step } from './plan';

/** What holds of a state once every step of a plan is done. */
export interface Promised {
  readonly gone: readonly string[];
  readonly present: readonly string[];
  /**
   * Flags with which `terraform plan` then shows nothing: those of the last check; undefined where
   * no step checks.
   */
  readonly flags: readonly string[] | undefined;
}

/** The sum of what the steps of one state expect: a later step wins over an earlier one. */
export function promisedBy(steps: readonly Step[], state: string): Promised {
  const own = steps.filter((step) => step.state === state);
  const addresses = new Map<string, 'gone' | 'present'>();
  for (const { expects } of own) {
    for (const address of expects?.gone ?? []) addresses.set(address, 'gone');
    for (const address of expects?.present ?? []) addresses.set(address, 'present');
  }
  const named = (what: string): string[] =>
    [...addresses].filter(([, one]) => one === what).map(([address]) => address);
  return { gone: named('gone'), present: named('present'), flags: checkFlags(own) };
}

/** Those that say what and with which inputs is planned; how it ends is for who runs it. */
function checkFlags(steps: readonly Step[]): string[] | undefined {
  const last = steps.findLast(({ kind }) => kind === 'check')?.expects?.plan;
  if (last === undefined) return undefined;
  // the rulesets are checked one by one, where a full plan does not work
  const checks =
    last === 'empty'
      ? steps.filter(({ kind }) => kind === 'check').slice(-1)
      : steps.filter(({ expects }) => expects?.plan === last);
  const flags = checks.flatMap(({ runs = [] }) =>
    runs.flatMap(({ argv }) => argv.slice(argv.indexOf('plan') + 1)),
  );
  return [...new Set(flags)].filter((flag) => !/^-(input|detailed-exitcode|out)\b/.test(flag));
}

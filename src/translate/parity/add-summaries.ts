import { type ParitySummary } from './parity';

/** The summaries of several zones together. */
export function addSummaries(all: readonly ParitySummary[]): ParitySummary {
  const sum = (of: (one: ParitySummary) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  return {
    settings: sum(({ settings }) => settings),
    kept: sum(({ kept }) => kept),
    changed: sum(({ changed }) => changed),
    lost: sum(({ lost }) => lost),
    withoutEffect: sum(({ withoutEffect }) => withoutEffect),
    rules: sum(({ rules }) => rules),
    withoutOrigin: sum(({ withoutOrigin }) => withoutOrigin),
  };
}

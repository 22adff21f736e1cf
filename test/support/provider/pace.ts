import { setTimeout } from 'node:timers/promises';
import { type ProviderAnswers } from './provider-answers';

/** Additional delays of a provider in milliseconds, to be as slow as the real one. */
export interface Pace {
  /** At its start; Terraform starts a provider up to three times in a command. */
  readonly start: number;
  /** To import a resource. */
  readonly import: number;
  /** To plan a resource. */
  readonly plan: number;
}

/** The answers of a provider with these delays. */
export function paced(answers: ProviderAnswers, pace: Pace): ProviderAnswers {
  const later =
    (milliseconds: number, answer: ProviderAnswers[keyof ProviderAnswers]) =>
    async (request: never): Promise<object> => {
      await setTimeout(milliseconds);
      return answer(request);
    };
  return {
    ...answers,
    ImportResourceState: later(pace.import, answers.ImportResourceState),
    PlanResourceChange: later(pace.plan, answers.PlanResourceChange),
  };
}

import { setTimeout } from 'node:timers/promises';
import { type ProviderAnswers } from './provider-answers';

/** How much longer than it needs a provider is to take, in milliseconds: as long as a real one. */
export interface Pace {
  /** Until it is there; Terraform starts a provider up to three times in a command. */
  readonly start: number;
  /** To import a resource. */
  readonly import: number;
  /** To plan a resource. */
  readonly plan: number;
}

/** The answers of a provider that takes so long. */
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

import * as z from 'zod';
import { parseJson } from '../model/parse-json';
import { type CleanText } from './clean-text';
import { type Envelope, type WireAnswer } from './envelope';
import { parseErrorEntries } from './parse-error-entries';
import { responseInvalid, serviceFailure } from './service-failure';

const answerSchema = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.unknown()).nullish(),
});

/**
 * Reads an answer of the GraphQL interface, which has no envelope: `{data, errors}` with status 200,
 * also for a refusal.
 * @throws MigrationError as `parseEnvelope` does
 */
export function parseGraphql(answer: WireAnswer, about: string, clean: CleanText): Envelope {
  const { status, rayId } = answer;
  const text = answer.bytes.toString('utf8');
  const parsed = answerSchema.safeParse(parseJson(text));
  if (status === 429 || status >= 500) throw serviceFailure(answer, about, []);
  if (!parsed.success) throw responseInvalid(answer, about, 'the answer is no GraphQL answer');
  const { data, errors } = parsed.data;
  if (status >= 400 || (errors?.length ?? 0) > 0 || data === null || data === undefined) {
    throw serviceFailure(answer, about, parseErrorEntries(errors ?? [], clean));
  }
  // sent as POST, and changes nothing
  return { result: data, resultInfo: {}, messages: [], text, method: 'GET', status, rayId };
}

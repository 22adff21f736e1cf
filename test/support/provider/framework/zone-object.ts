import { type Answer } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { Refusal, type Resource } from '../resource';
import { conform, isRecord, ShapeError } from '../schema/conform';
import { blockFields, type SchemaJson } from '../schema/field';
import { frameworkPlan } from './framework-plan';

interface ZoneObject {
  /** Below `/zones/{zone}`. */
  path: string;
  known: (found: Record<string, unknown>) => Record<string, unknown>;
}

/**
 * An object of a zone as the generated resources of provider 5 keep it. Only reading, forgetting
 * and the upgrade of old state are imitated.
 */
export function zoneObject(schema: SchemaJson, { path, known }: ZoneObject): Resource {
  const fields = blockFields(schema.block);
  const url = (state: ObjectValue) =>
    `/zones/${textOf(state['zone_id'])}${path}/${textOf(state['id'])}`;
  return {
    schema,
    legacy: false,
    validate: () => [],
    upgrade: (_version, state) => {
      try {
        return conform(fields, state);
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        throw new Refusal(
          'Unable to Read Previously Saved State',
          'There was an error reading the saved resource state using the current resource schema.' +
            `\n\n${error.message.replace(/^(\w+)/, 'AttributeName("$1")')}`,
        );
      }
    },
    async read(state, http) {
      const answer = await http.send('GET', url(state));
      if (answer.status === 404) return { state: null };
      const found = conform(fields, known(accepted(answer)));
      const told = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
      return { state: { ...state, ...told } };
    },
    plan: (request) =>
      frameworkPlan(fields, request, { keepsState: ['id'], replaces: ['zone_id'] }),
  };
}

/**
 * The result of an answer.
 *
 * @throws {Refusal} with the status and the body, as the client in provider 5 words it
 */
export function accepted(answer: Answer): Record<string, unknown> {
  const result = answer.json?.result;
  if (answer.status < 300 && isRecord(result)) return result;
  if (answer.status < 300 && answer.text === '') return {};
  throw new Refusal(
    `failed to ${answer.status < 300 ? 'deserialize' : 'make'} http request`,
    `${answer.method} "${answer.url}": ${answer.status} ${answer.statusText} ${answer.text}`,
  );
}

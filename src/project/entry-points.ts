import {
  type ConfigFile,
  type ConfigObject,
  type ConfigValue,
  Expression,
  stringOf,
} from '../tfconfig/config';
import { readBody } from '../tfconfig/read-body';
import { MANAGED_PHASE } from '../core/ruleset';

/** What a configuration says of an argument. */
export interface Told {
  readonly text: string | undefined;
  /** Whether that is all there is to know: nobody gives it another value from elsewhere. */
  readonly isFixed: boolean;
}

/** A ruleset that is the entry point of the managed phase in a zone, or may be. */
export interface EntryPoint {
  readonly name: string;
  /** The zone's id. */
  readonly zone: Told;
  /** Whether it is told that the phase is the managed one. */
  readonly isManaged: boolean;
}

/** Whether it is the entry point of a zone; undefined where Terraform alone knows. */
export function isEntryPointOf(
  { zone, isManaged }: EntryPoint,
  zoneId: string,
): boolean | undefined {
  const isSame = zone.text?.toLowerCase() === zoneId;
  if (isSame && isManaged) return true;
  return zone.isFixed && !isSame ? false : undefined;
}

/** Local values and defaults of variables by how they are referred to: `local.zone_id`, `var.zone_id`. */
export type NamedValues = ReadonlyMap<string, ConfigValue | undefined>;

/** What other arguments can refer to. */
export function namedValues(file: ConfigFile): NamedValues {
  return new Map(
    file.blocks.flatMap((block): [string, ConfigValue | undefined][] => {
      if (block.type === 'locals') {
        return [...readBody(file, block)].map(([name, value]) => [`local.${name}`, value]);
      }
      if (block.type !== 'variable') return [];
      return [[`var.${block.labels[0] ?? ''}`, readBody(file, block).get('default')]];
    }),
  );
}

/** None where a ruleset is of another phase, or of no zone. */
export function entryPointsOf(
  name: string,
  body: ConfigObject,
  values: NamedValues,
): readonly EntryPoint[] {
  const [phase, zone] = [tell(body.get('phase'), values), tell(body.get('zone_id'), values)];
  if (phase.isFixed && phase.text !== MANAGED_PHASE) return [];
  if (zone.isFixed && zone.text === undefined) return [];
  return [{ name, zone, isManaged: phase.text === MANAGED_PHASE }];
}

const REFERENCE = /^(?:"?\$\{)?\s*((var|local)\.[\w-]+)\s*(?:\}"?)?$/;

/** A literal, or what a plain reference leads to; a variable may be given another value than its default. */
function tell(value: ConfigValue | undefined, values: NamedValues): Told {
  if (!(value instanceof Expression)) return { text: stringOf(value), isFixed: true };
  const [, reference = '', kind] = REFERENCE.exec(value.text) ?? [];
  const text = stringOf(values.get(reference));
  return { text, isFixed: kind === 'local' && text !== undefined };
}

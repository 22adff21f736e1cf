import {
  type GeneratedStack,
  generateStack,
  type StackRequest,
} from '../../../src/generate/generate-stack';
import { parseRuleset } from '../../../src/ruleset/parse-ruleset';
import { ZONE } from './expected-resource';

interface Options extends Partial<Omit<StackRequest, 'zone' | 'source'>> {
  /** The name of the zone. */
  zone?: string;
  zoneId?: string;
}

/** Generates a stack from an answer, with defaults for what a test is not about. */
export function stackOf(
  answer: unknown,
  { zone, zoneId = ZONE, ...options }: Options = {},
): GeneratedStack {
  return generateStack({
    zone: { id: zoneId, ...(zone === undefined ? {} : { name: zone }) },
    source: parseRuleset(answer),
    provider: 5,
    format: 'tfjson',
    resourceName: 'managed_rules',
    ...options,
  });
}

/** The text of the file that declares the ruleset. */
export function textOf(answer: unknown, options: Options = {}): string {
  return stackOf(answer, options).resourceFile.text;
}

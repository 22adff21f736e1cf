import { type FlavorName } from '../../../src/generate/flavor';
import { type FormatName } from '../../../src/core/format-names';
import { type GeneratedStack, generateStack } from '../../../src/generate/generate-stack';
import { parseRuleset } from '../../../src/ruleset/parse-ruleset';
import { ZONE } from './expected-resource';

export interface Options {
  provider?: 3 | 4 | 5;
  format?: FormatName;
  zone?: string;
  zoneId?: string;
  resourceName?: string;
  preventDestroy?: boolean;
  flavor?: FlavorName;
  bindings?: string;
  providerReference?: string;
  isConfigured?: boolean;
}

/** Generates a stack from an answer, with defaults for what a test is not about. */
export function stackOf(answer: unknown, options: Options = {}): GeneratedStack {
  return generateStack({
    zone: {
      id: options.zoneId ?? ZONE,
      ...(options.zone === undefined ? {} : { name: options.zone }),
    },
    source: parseRuleset(answer),
    provider: options.provider ?? 5,
    format: options.format ?? 'tfjson',
    resourceName: options.resourceName ?? 'managed_rules',
    preventDestroy: options.preventDestroy ?? false,
    providerReference: options.providerReference,
    isConfigured: options.isConfigured ?? false,
    ...(options.flavor === undefined ? {} : { flavor: options.flavor }),
    bindings: options.bindings,
  });
}

/** The text of the file that declares the ruleset. */
export function textOf(answer: unknown, options: Options = {}): string {
  return stackOf(answer, options).resourceFile.text;
}

import { type Finding } from '../core/finding';
import { type FormatName } from '../core/format-names';
import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { type ProviderMajor, providerMajors } from '../core/provider-majors';
import { type ParsedRuleset } from '../ruleset/parse-ruleset';
import { buildResource } from './dialects/build-resource';
import { attributesOf, dialects } from './dialects/dialects';
import { cdktf, construct, type FlavorName, flavors } from './formats/cdktf';
import { type Format, type GeneratedFile } from './formats/format';
import { hcl } from './formats/hcl';
import { tfjson } from './formats/tfjson';
import { stackNames, type ZoneName } from './stack-names';

/** The output formats by their names in core/format-names.ts. */
const formats: Readonly<Record<FormatName, Format>> = { cdktf, construct, hcl, tfjson };

/** What to generate. */
export interface StackRequest {
  readonly zone: ZoneName;
  readonly source: ParsedRuleset;
  readonly provider: ProviderMajor;
  readonly format: FormatName;
  /** The name of the resource, a Terraform identifier. */
  readonly resourceName: string;
  /** The path of the module that the files are for, such as `module.waf.`; empty for the root module. */
  readonly modulePath?: string;
  /** For the CDKTF format; `cdktf` by default. */
  readonly flavor?: FlavorName;
  /** The import path of `ruleset` and `provider`; by default the package of the flavor. */
  readonly bindings?: string | undefined;
  /** The provider configuration if it is not the default one, such as `cloudflare.prod`. */
  readonly providerReference?: string | undefined;
  /** The `count` of the resource in HCL, if only one of several states has it. */
  readonly count?: string | undefined;
  /** Whether the provider is configured next to the stack, so that no default configuration is needed. */
  readonly isConfigured?: boolean;
}

/** A generated stack, before it is written. */
export interface GeneratedStack {
  readonly resourceFile: GeneratedFile;
  /** Provider and version constraint, for formats that have a separate file for them. */
  readonly providersFile?: GeneratedFile;
  readonly address: string;
  /** The argument of `terraform import`; absent until the ruleset exists. */
  readonly importId?: string;
  readonly findings: readonly Finding[];
}

/** A Terraform identifier that no format has to quote. */
const RESOURCE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Characters that no provider reference contains, because HCL writes it without quotes. */
const NO_REFERENCE = /[^\p{ID_Continue}.-]/u;

/**
 * Renders an entry point ruleset as a stack for one provider major in one format. Pure.
 *
 * @throws MigrationError `RULESET_INVALID`, `ID_INVALID`, `ADDRESS_INVALID`
 * @example
 * generateStack({ zone: { id }, source: parseRuleset(answer), provider: 5, format: 'hcl',
 *   resourceName: 'managed_rules' });
 */
export function generateStack(request: StackRequest): GeneratedStack {
  const { zone, source, resourceName, providerReference, count } = request;
  const { modulePath = '', flavor = 'cdktf' } = request;
  parseZoneId(zone.id);
  if (!RESOURCE_NAME.test(resourceName)) {
    throw new MigrationError(
      'ADDRESS_INVALID',
      `the resource name "${printable(resourceName, 80)}" is not a Terraform identifier`,
      { hint: 'use letters, digits, _ and -, starting with a letter or _' },
    );
  }
  if (providerReference?.match(NO_REFERENCE)) {
    throw new MigrationError(
      'ADDRESS_INVALID',
      `"${printable(providerReference, 80)}" is not a provider configuration`,
      { hint: 'pass the provider name, a dot and the alias, such as cloudflare.prod' },
    );
  }
  const dialect = dialects[request.provider];
  const { constraint, importId: importIdOf } = providerMajors[request.provider];
  const { attributes, findings } = buildResource(source, zone.id, dialect);
  const key = count === undefined ? '' : '[0]';
  const address = `${modulePath}cloudflare_ruleset.${resourceName}${key}`;
  const { id } = source.ruleset;
  const importId = id === undefined ? undefined : importIdOf(zone.id, id);
  const names = stackNames(zone);
  const document = {
    names,
    comment: headComment(request, address, importId),
    dialect,
    constraint,
    resourceName,
    attributes,
    configuresProvider: modulePath === '' && request.isConfigured !== true,
    flavor,
    bindings: request.bindings ?? flavors[flavor],
    providerReference,
    count,
  };
  const format = formats[request.format];
  const providersFile = format.providersFile?.(document);
  return {
    resourceFile: { path: format.pathOf(names), text: format.render(document) },
    ...(providersFile ? { providersFile } : {}),
    address,
    ...(importId === undefined ? {} : { importId }),
    findings,
  };
}

/** The path of the file that declares the ruleset of a zone, relative to the output folder. */
export function stackPath({ zone, format }: Pick<StackRequest, 'zone' | 'format'>): string {
  return formats[format].pathOf(stackNames(zone));
}

/** The end of the first line of every generated file. */
export const GENERATED = 'generated by cf-waf-migrate.';

function headComment(
  { zone, source, provider }: StackRequest,
  address: string,
  importId: string | undefined,
): string[] {
  const zoneText = zone.name === undefined ? zone.id : `${printable(zone.name, 100)} (${zone.id})`;
  const title = `WAF managed rules of zone ${zoneText}, ${GENERATED}`;
  if (source.origin === 'state' || source.origin === 'old') {
    return [
      title,
      'PROVISIONAL: translated from the legacy settings. `cf-waf-migrate report` says what happens to each.',
      'Terraform must not create the entry point. If it is not in the state, import it, and check the plan:',
      `terraform import ${posixQuote(printable(address))} ${providerMajors[provider].importId(zone.id, '<id of the entry point>')}`,
    ];
  }
  if (importId === undefined) {
    const refs =
      'ref' in attributesOf(dialects[provider].schema['rules']) ? ' with their refs' : '';
    return [
      title,
      'PROVISIONAL: from the migration configuration of a zone that had not migrated. Do not deploy it.',
      `\`cf-waf-migrate finish --stack\` sends exactly these rules${refs}. It does not send edits of this file.`,
      'After `finish`, generate this file again.',
    ];
  }
  return [
    title,
    `From the live ruleset ${printable(source.ruleset.id ?? '', 40)}. Terraform must not create it. If it is not in the state, import it:`,
    `terraform import ${posixQuote(printable(address))} ${printable(importId, 100)}`,
  ];
}

/** Removes the comment at the top of a generated file, which names the source and the import command. */
export function withoutHead(text: string): string {
  return text.replace(/^(?:(?:#|\/\/) .*\n)+|^\{\n {2}"\/\/": "(?:[^"\\\n]|\\.)*",\n/, '');
}

/** What a generated file says, in any format, so that the same stack can be generated again. */
export function readGenerated(text: string) {
  const find = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
  return {
    resourceName: find(
      /(?:cloudflare_ruleset" |"cloudflare_ruleset": \{\n +|new Ruleset\(this, )"([A-Za-z_][\w-]*)"/,
    ),
    zoneId: find(/^[ \t]*"?zone_?id"?\s*[=:]\s*"([0-9a-f]{32})"/im),
    providerReference: find(
      /^[ \t]*(?:"?provider"?\s*[=:]|ruleset\.addOverride\("provider",)\s*"?([\p{ID_Continue}.-]+)/mu,
    ),
    /** Only in HCL. */
    count: find(/^ +count += (.*)$/m),
  };
}

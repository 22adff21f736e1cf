import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type FormatName, isProgram } from '../core/format-names';
import { objectOf, textOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { posixPath, posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import {
  allowedMajors,
  CONSTRUCTS,
  type ProviderMajor,
  providerMajors,
} from '../core/provider-majors';
import { readObject, textOfFile } from '../files/read-files';
import {
  BINDINGS,
  cdktfFolder,
  cdktfProvider,
  packagesOf,
  readCdktfJson,
  stacksFolder,
  synthCommand,
  synthesisedStacks,
} from '../project/cdktf-project';
import { byBindings } from '../project/provider-version';
import { type FlavorName, flavors } from './formats/cdktf';
import { type StackNames } from './stack-names';

/** What adding a file to a project of the user requires. */
export interface ExistingProject {
  readonly dir: string;
  readonly format: FormatName;
  readonly out: string;
  /** The program of a CDKTF project, relative to the project; absent if it loads all stacks itself. */
  readonly main?: string;
}

/**
 * Detects the kind of project in a folder: CDKTF in TypeScript, or Terraform in HCL or JSON.
 * @param wanted the format that the user chose; projects of another kind are ignored
 */
export async function readExistingProject(
  dir: string,
  wanted: FormatName | undefined,
): Promise<ExistingProject | undefined> {
  const mayBe = (format: FormatName): boolean => (wanted ?? format) === format;
  const format = wanted ?? 'cdktf';
  const cdktf = isProgram(format) ? readCdktfJson(dir) : undefined;
  if (cdktf !== undefined) return cdktfProject(dir, format, cdktf);
  const names = await readdir(dir).catch((): string[] => []);
  const terraform = { dir, out: dir };
  const has = (ending: string): boolean => names.some((name) => name.endsWith(ending));
  if (mayBe('hcl') && has('.tf')) return { ...terraform, format: 'hcl' };
  if (mayBe('tfjson') && has('.tf.json')) return { ...terraform, format: 'tfjson' };
  return undefined;
}

/** The language of the CDKTF project that a folder is in; undefined if it is TypeScript. */
export function otherLanguage(folder: string): string | undefined {
  const project = cdktfFolder(folder) ?? folder;
  const language = textOf(readCdktfJson(project)?.['language']);
  return ['', 'typescript'].includes(language) ? undefined : language;
}

/** How a program in another language gets the ruleset. */
export const ADD_OVERRIDE =
  'add the resource of this file to the stack with an override (add_override in Python), and synthesise';

/**
 * Refuses to write TypeScript into a CDKTF project in another language.
 * @throws MigrationError `PROJECT_UNSUITABLE`
 */
export function requireTypeScript(folder: string): void {
  const language = otherLanguage(folder);
  if (language === undefined) return;
  const project = printable(cdktfFolder(folder) ?? folder);
  const message = `${project} is a CDKTF project in ${printable(language, 40)}`;
  throw new MigrationError('PROJECT_UNSUITABLE', message, {
    hint: `write an example with the same options, but --format tfjson --out example; then ${ADD_OVERRIDE}`,
  });
}

function cdktfProject(
  dir: string,
  format: FormatName,
  { app }: Readonly<Record<string, unknown>>,
): ExistingProject {
  const written = /(?:^|[\s'"=])([^\s'"=]+\.[mc]?ts)\b/.exec(textOf(app))?.[1] ?? 'main.ts';
  // files are written only in the project
  const main = written.startsWith('/') || written.includes('..') ? 'main.ts' : written;
  // a project of `generate --project` loads every file of its folder stacks as a stack
  const loadsAll = existsSync(join(dir, 'load-stacks.ts'));
  const folder = join(dir, loadsAll && format === 'construct' ? 'constructs' : 'stacks');
  return {
    dir,
    format,
    out: loadsAll || existsSync(folder) ? folder : join(dir, dirname(main)),
    ...(loadsAll ? {} : { main }),
  };
}

/**
 * The packages that a program in a folder imports, by the nearest cdktf.json or package.json.
 * @returns `bindings`: the installed package, or what `cdktf get` generates (`../.gen/providers/cloudflare`, with
 *   `ruleset` and `provider` below); undefined if the project has none
 */
export function programContext(folder: string): {
  flavor: FlavorName;
  bindings: string | undefined;
} {
  for (let at = folder; ; at = dirname(at)) {
    const packages = packagesOf(at);
    if (readCdktfJson(at) !== undefined || packages.size > 0) {
      const flavor = packages.has('cdktn') ? 'cdktn' : 'cdktf';
      const generates = flavor === 'cdktn' || cdktfProvider(at) !== undefined;
      const generated = generates ? generatedBindings(folder, at) : undefined;
      return { flavor, bindings: packages.has(BINDINGS) ? flavors.cdktf : generated };
    }
    if (dirname(at) === at) return { flavor: 'cdktf', bindings: undefined };
  }
}

/** The path from a folder to the bindings that a project generates, or will generate. */
function generatedBindings(folder: string, project: string): string {
  const { name } = cdktfProvider(project) ?? { name: 'cloudflare' };
  const output = textOf(readCdktfJson(project)?.['codeMakerOutput']) || '.gen';
  const path = posixPath(relative(folder, join(project, output, 'providers', name)));
  return path.startsWith('../') ? path : `./${path}`;
}

/** What the user adds to a project besides the file of a zone, because no other file is changed. */
export function manualSteps(
  { dir, format, out, main }: ExistingProject,
  { slug, className }: StackNames,
  provider: ProviderMajor,
): string[] {
  if (!isProgram(format)) return [];
  const steps = installSteps(dir, provider);
  // the user added the lines when the stack was first generated
  if (main !== undefined && isAdded(className, textOfFile(join(dir, main)))) return steps;
  const backend = backendSteps(dir);
  if (main === undefined) return [...steps, ...backend];
  const path = posixPath(relative(dirname(join(dir, main)), join(out, slug)));
  return [
    ...steps,
    `in ${main}: import { ${className} } from "${path.startsWith('.') ? path : `./${path}`}";`,
    `in ${main}, before app.synth(): new ${className}(app, "${slug}");`,
    ...backend,
  ];
}

/** Without a backend, the state is a file of this clone: in another one, Terraform would create the ruleset again. */
function backendSteps(project: string): string[] {
  const types = synthesisedStacks(project).flatMap((stack) => {
    const { terraform } = readObject(join(project, stack, 'cdk.tf.json')) ?? {};
    const { backend, cloud } = objectOf(terraform);
    return [...Object.keys(objectOf(backend)), ...(cloud === undefined ? [] : ['cloud'])];
  });
  const remote = types.find((type) => type !== 'local');
  if (remote === undefined) return [];
  return [
    `for the stack, before its ruleset is imported: the backend of your other stacks (${remote}); without one, its state is a file in the folder of the project`,
  ];
}

function isAdded(className: string, program: string): boolean {
  const lines = program.split('\n').filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
  return lines.some((line) => line.includes(`new ${className}(`));
}

/** Installs the bindings of a provider version, unless the project installs or generates them. */
function installSteps(project: string, provider: ProviderMajor): string[] {
  const { flavor } = programContext(project);
  const installed = byBindings(project)?.major;
  const generated = cdktfProvider(project);
  const isOfProvider =
    installed === undefined
      ? generated !== undefined && allowedMajors(generated.version ?? '').includes(provider)
      : installed === provider;
  if (isOfProvider) return [];
  const { bindings: release, cdktf, constraint } = providerMajors[provider];
  if (flavor === 'cdktn' || generated !== undefined) {
    return [
      `in cdktf.json: "terraformProviders": ["cloudflare/cloudflare@${constraint}"]; then run: ${flavor} get`,
    ];
  }
  // npm refuses bindings for another minor version of cdktf; they work with a later one
  const minor = Number(/\b0\.(\d+)/.exec(packagesOf(project).get('cdktf') ?? '')?.[1] ?? cdktf);
  return [
    ...(minor > cdktf ? [`npm pkg set 'overrides.${BINDINGS}.cdktf=$cdktf'`] : []),
    `npm install ${BINDINGS}@${release}${minor < cdktf ? ` cdktf@^0.${cdktf}.0 ${CONSTRUCTS}` : ''}`,
  ];
}

/**
 * What the user adds to a program so that one stack has the construct of a zone. It goes after the stack,
 * because several stacks can share a class, one for each environment, and each would get the construct.
 * @param project its folder, if there is one
 */
export function constructSteps(
  { slug, constructName }: StackNames,
  provider: ProviderMajor,
  project: string | undefined,
): string[] {
  const { last } = providerMajors[provider];
  const version = `"terraform.required_providers.cloudflare.version", "${last}"`;
  return [
    ...(project === undefined ? [] : installSteps(project, provider)),
    `in the file that creates the stack: import { ${constructName} } from "…/${slug}.ruleset"; (with the path of the file)`,
    `after the stack: new ${constructName}(stack, "${slug}"); (not in its class, if other stacks or environments use the class: each would declare this ruleset)`,
    `for the stack, unless it requires provider ${last} or a later ${provider} already: stack.addOverride(${version}); (all its resources get this provider)`,
  ];
}

/**
 * The commands that synthesise a project, and initialise its new stacks; for a construct, which can be in any stack, all.
 * @param stack `*` for the stacks of many zones
 */
export function synthesis(
  project: string,
  format: FormatName,
  cwd: string,
  stack: string,
): string[] {
  const folder = relative(cwd, project);
  const steps = [
    ...(folder === '' ? [] : [`  cd ${posixQuote(folder)}`]),
    ...(existsSync(join(project, 'node_modules')) ? [] : ['  npm install']),
    `  ${synthCommand(project)}`,
  ];
  const stacks = stacksFolder(project) ?? '';
  const isReady = (folder: string): boolean => existsSync(join(project, folder, '.terraform'));
  if (format !== 'cdktf' || stack === '*') {
    const known = synthesisedStacks(project);
    const isDone = format !== 'cdktf' && known.length > 0 && known.every(isReady);
    const each = `  for stack in ${posixQuote(stacks)}/*; do terraform -chdir="$stack" init; done`;
    return ['Synthesise it:', ...steps, ...(isDone ? [] : [each])];
  }
  // with another provider version, only init -upgrade works, which is a step of the plan
  if (isReady(join(stacks, stack))) return ['Synthesise it:', ...steps];
  const init = `  terraform -chdir=${posixQuote(join(stacks, stack))} init`;
  return ['Synthesise it, and initialise its stack:', ...steps, init];
}

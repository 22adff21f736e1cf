import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findingCodes, renderFindings, isOpenFinding } from '../../../core/finding';
import { isProgram } from '../../../core/format-names';
import { printable } from '../../../core/printable';
import { planFolder } from '../../../files/paths';
import {
  ADD_OVERRIDE,
  constructSteps,
  manualSteps,
  otherLanguage,
  synthesis,
} from '../../../generate/existing-project';
import { type GenerateResult } from '../../../generate/generate';
import { type ZoneResult } from '../../fleet/for-zones';
import { commandOf } from '../../options';
import { type GenerateOptions, type GenerateTarget } from './target';

/** Where the rules of a stack are from. */
const ORIGINS: Readonly<Record<GenerateResult['source'], string>> = {
  live: 'the live entry point',
  config: 'the migration configuration (provisional until the migration is finished)',
  state: 'the legacy settings in the state (provisional: see `report`)',
  old: 'the legacy settings of the zone (provisional: see `report`)',
};

interface GenerateRun {
  /** The zone as the user wrote it. */
  readonly zone: string;
  readonly target: GenerateTarget;
  readonly options: GenerateOptions;
  readonly cwd: string;
  /** The command that continues what needs the ruleset. */
  readonly resume?: string | undefined;
  /** The folder of the root module, if it is known. */
  readonly root?: string | undefined;
  /** The root module that declares the ruleset, if the stack is an example for it. */
  readonly above?: string | undefined;
  /** Whether the zone is known to have migrated; the ledger of a list records it. */
  readonly moved?: boolean | undefined;
}

/** What `generate` has written for a zone, how its ruleset gets into a state, and the next command. */
export function renderGenerated(generated: GenerateResult, run: GenerateRun): ZoneResult {
  const { target, options, cwd } = run;
  const { names, resource, provider, source, findings } = generated;
  const { because, existing, project, request, beside } = target;
  const files = generated.files.map((path) => relative(cwd, path) || path);
  const steps =
    request.format === 'construct'
      ? constructSteps(names, provider, project)
      : existing && manualSteps(existing, names, provider);
  const { how = [], next, folder = '' } = whatFollows(generated, files[beside.length], run);
  // a step of a plan sets the address
  const isStep = options.address !== undefined && next?.startsWith('plan') === true;
  const codes = findingCodes(findings);
  const open = findings.filter(isOpenFinding);
  const shown = files.map((file) => printable(file));
  // a saved ruleset is named by its file
  const saved = options.config === undefined ? '' : `${printable(options.config)}: `;
  const origin = `${saved}${ORIGINS[source]}`;
  return {
    json: {
      files,
      resource,
      provider,
      source,
      findings,
      providerBecause: because,
      ...(run.moved === true && { moved: true }),
      ...(steps && { byHand: steps }),
    },
    text: [
      `Generated ${resource.address} from ${origin}`,
      `for provider ${provider} (${printable(because)}):`,
      ...shown.map((file) => `  ${file}`),
      ...addByHand(steps ?? [], source === 'live'),
      ...(isStep ? ['If a plan led here, continue it instead of the next command.'] : []),
      ...how,
      ...noteOnProject(target),
      ...renderFindings(findings),
    ].join('\n'),
    line: `${shown.join(', ')} from ${origin}${codes === '' ? '' : `: ${codes}`}`,
    open,
    next,
    before: how.length === 0 || next === undefined ? undefined : { task: 'all of this', folder },
    exitCode: open.length > 0 ? 2 : 0,
  };
}

/** A stack needs a program, which synthesises it. */
export const noteOnProject = ({ request, project }: GenerateTarget): string[] =>
  isProgram(request.format) && project === undefined
    ? ['No CDKTF project is here: --project waf creates one with the generated stacks.']
    : [];

/** @param isLive if not, a deploy would create a second ruleset */
export function addByHand(steps: readonly string[], isLive: boolean): string[] {
  if (steps.length === 0) return [];
  return [
    isLive ? 'Add by hand:' : 'Add by hand, and deploy nothing before `finish` and the import:',
    ...steps.map((one) => `  ${printable(one)}`),
  ];
}

/** What `finish` sends, if it is not the default. */
export const chosenSource = ({ source }: GenerateOptions) =>
  source === 'config' ? source : undefined;

/** How the ruleset gets into a state, the next command, and the folder to be in for all of it. */
interface Following {
  readonly how?: readonly string[];
  readonly next?: string | undefined;
  readonly folder?: string;
}

/** @param stack the file of its stack */
function whatFollows(
  generated: GenerateResult,
  stack: string | undefined,
  run: GenerateRun,
): Following {
  const { options, zone, target, resume } = run;
  const { importId } = generated.resource;
  if (generated.source === 'config') {
    const sent = { source: chosenSource(options), config: options.config };
    return { next: commandOf('finish', { zone, ...sent, stack }) };
  }
  if (importId === undefined) return { next: commandOf('status', { zone, dir: options.dir }) };
  const to = target.isUpgrade ? String(generated.provider) : undefined;
  const command = `  terraform import ${generated.resource.address} ${importId}`;
  if (target.project !== undefined) return inProgram(generated, run, target.project, to);
  return isProgram(target.request.format)
    ? { how: ['Import it, in the folder of the synthesised stack:', command], next: resume }
    : inFolder(generated, run, command, to);
}

/** The program is synthesised, and its stacks are planned. */
function inProgram(
  { names }: GenerateResult,
  { target, options, cwd, resume, zone }: GenerateRun,
  project: string,
  to: string | undefined,
): Following {
  const { format } = target.request;
  const how = synthesis(project, format, cwd, names.slug);
  const folder = relative(cwd, project);
  if (resume !== undefined) return { how: folder === '' ? how : [...how, '  cd -'], next: resume };
  // the bindings of a program change for all of its stacks; a step of a plan, which sets the address, is of all zones
  const isOfAll = to !== undefined || options.address !== undefined;
  const next = commandOf('plan', isOfAll ? { to } : { zone });
  return { how, next, folder };
}

/**
 * A root module imports the ruleset; an example is copied.
 * @param command that imports it
 */
function inFolder(
  { wasDeclared }: GenerateResult,
  { target, options, cwd, resume, root, above, zone }: GenerateRun,
  command: string,
  to: string | undefined,
): Following {
  const { out, modulePath = '' } = target.request;
  const plan = (dir: string | undefined): string =>
    commandOf('plan', { dir: dir === '.' ? undefined : dir, to });
  if (otherLanguage(out) !== undefined && !isInitialised(out)) {
    const how = `Do not import it here: ${ADD_OVERRIDE}.`;
    return { how: [how], next: resume ?? commandOf('plan', { zone, to }) };
  }
  if (resume !== undefined) return { next: resume };
  if (above !== undefined) {
    const dir = planFolder(cwd, above);
    const how = `Do not import it: the folder ${printable(dir)} declares the ruleset. Copy the rules to its block there.`;
    return { how: [how], next: plan(dir) };
  }
  if (root === undefined) {
    const how = 'Import it, in the folder of the root module:';
    return { how: [how, command, 'Then run `cf-waf-migrate plan` in that folder.'] };
  }
  const folder = planFolder(cwd, root);
  const next = plan(modulePath === '' ? options.out : folder);
  if (options.importBlock === true) {
    const how = ['Terraform imports it by its import block. Delete the block afterwards.'];
    return { how, next };
  }
  // the state may have it, or a step of the plan that set the address imports it
  if ((wasDeclared || options.address !== undefined) && modulePath === '') return { next };
  const init = isInitialised(root) ? [] : ['  terraform init'];
  const how = [`Import it, in the folder ${printable(folder)}:`, ...init, command];
  return { how, next };
}

/** Whether `terraform init` ran in a folder. Then it has a separate state, and is not an example. */
export const isInitialised = (folder: string): boolean => existsSync(join(folder, '.terraform'));

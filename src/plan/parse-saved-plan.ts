import { isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { isOfType, isRulesetAddress } from '../core/resource-address';
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Finding, hintLines } from '../core/finding';
import { isIdentifier } from '../core/identifier';
import { describeIssues } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { WORDS_OF_ONE_COMMAND } from '../core/posix-quote';
import { printable } from '../core/printable';
import { type ProviderFacts, providerMajors } from '../core/provider-majors';
import { configSyntax } from '../tfconfig/config-source';
import { type FileEdit, localAddress } from '../tfconfig/file-edit';
import { blocksOfOverrides } from '../tfconfig/state-blocks';
import { backupFile } from '../files/backups';
import { readJsonFile } from '../files/read-files';
import {
  digestOf,
  goneFrom,
  type Plan,
  planSchema,
  type PlanState,
  type PlanZone,
} from './plan-schema';
import { accountImportId, majorOf, retiredTypes, zoneImportId } from './facts/provider-versions';
import { type BlockRemoval, type PlannedImport, type StepFacts } from './facts/facts';
import { words } from './formats/render-command';
import { checkEach, checkWhole, writeSteps } from './steps/orders';
import { isManual, isOfProgram, isStateBlock, type Step, type StepDraft } from './steps/step-kinds';
import { separateFlags } from './steps/terraform-flags';

/**
 * Reads the plan of a file.
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function readSavedPlan(path: string): Promise<Plan> {
  const hint = 'make the plan again, with the same options:\ncf-waf-migrate plan --out plan.json';
  return parsePlan(await readJsonFile(path, hint));
}

/**
 * Reads a saved plan of `plan --json` from its parsed JSON.
 * @throws MigrationError `PLAN_INVALID` if it is not a plan, has another version, was edited, or has steps that `plan`
 *   does not write
 */
export function parsePlan(document: unknown): Plan {
  // compiling a parser takes longer than reading one plan without it
  const parsed = planSchema.safeParse(document, { jitless: true });
  if (!parsed.success) {
    const where = printable(describeIssues(parsed.error), 300);
    throw new MigrationError('PLAN_INVALID', `not a plan of this version: ${where}`);
  }
  if (digestOf(parsed.data) !== parsed.data.digest) {
    throw new MigrationError(
      'PLAN_INVALID',
      'the plan was changed after it was written: its digest differs',
    );
  }
  requirePlannedSteps(parsed.data);
  return parsed.data;
}

/**
 * Checks that a plan has exactly the steps that `plan` writes, because anyone can compute a digest. Reads the facts
 * from the plan, and writes the steps of each state again from these facts.
 */
function requirePlannedSteps(plan: Plan): void {
  const { states, steps, zones } = plan;
  const names = new Set(states.map(({ name }) => name));
  // backup names contain the name of the state
  const state = states.find(({ name }, at) => !/^[\w-]+$/.test(name) || at >= names.size);
  if (state !== undefined) throw unplanned(`the state ${printable(state.name, 80)}`);
  const zone = zones.find((one) => !isPlannedZone(one, plan));
  if (zone !== undefined) throw unplanned(`the zone ${printable(zone.zoneId, 80)}`);
  for (const [at, step] of steps.entries()) {
    const isKnown = [step.state, ...(step.states ?? [])].every((name) => names.has(name));
    const edit = step.edits?.find((one) => !isPlannedEdit(one, plan));
    if (edit !== undefined) throw unplanned(`the edit of ${printable(edit.file, 200)}`);
    if (step.id !== String(at + 1) || !isKnown)
      throw unplanned(`step ${printable(step.id, 20)} (${step.kind})`);
  }
  for (const one of states) requireOrder(one, plan);
  const finding = plan.findings.find((one) => !isPlannedRemedy(one));
  if (finding !== undefined) throw unplanned(`the remedy of ${printable(finding.code, 80)}`);
}

/** Flags for `generate`, `plan` and `apply` in remedies: others could select another API, credentials or Terraform. */
const REMEDY_FLAG =
  /^--(?:zone|source|provider|format|address|out|force|dir|to|only)?$|^-var-file(?:=|$)|^-$/;

/** Commands of a remedy are printed to be copied. Placeholders stand at the end, or before a flag. */
function isPlannedRemedy({ remedy, command = [] }: Finding): boolean {
  const argv = words(command);
  const [text = '', ...commands] = [...hintLines(remedy), ...(argv === '' ? [] : [argv])];
  if (endsLikeCommand(text)) return false;
  return remedy.endsWith(printable(argv)) && commands.every(isPlannedCommand);
}

/** Whether a reader could take the end of the words of a remedy for its command. */
function endsLikeCommand(text: string): boolean {
  const last = [...text.matchAll(/:\s(?:TF_WORKSPACE=\S+ )?cf-waf-migrate /g)].at(-1);
  return last !== undefined && !text.slice(last.index + last[0].length).includes(';');
}

function isPlannedCommand(command: string): boolean {
  // the shell removes the quotes, and can read a flag from `printf`
  const flags = command.replace(/['"\\]/g, '').match(/(?<= )[-$]\S*/g) ?? [];
  return (
    /^(?:TF_WORKSPACE=(?:[\w@%+=:,./-]|'[^' ]*'|\\')+ )?cf-waf-migrate /.test(command) &&
    WORDS_OF_ONE_COMMAND.test(command.replace(/<[a-z ]+>(?=$|\.| -)/g, '')) &&
    flags.every((flag) => REMEDY_FLAG.test(flag))
  );
}

function isPlannedZone({ zoneId, ruleset }: PlanZone, { states }: Plan): boolean {
  const state = states.find(({ name }) => name === ruleset.state);
  if (state === undefined || !isIdentifier(zoneId) || !isIdentifier(ruleset.id)) return false;
  const importId = zoneImportId(state.provider.to, zoneId, ruleset.id);
  return ruleset.importId === importId && isRulesetAddress(ruleset.address);
}

/**
 * Accepts only Terraform files, and new ones only in the folder of a state. The plan does not list the module folders.
 * Only blocks of removed types may be removed, and outputs if the user has to accept that.
 */
function isPlannedEdit(
  { file, sha256, remove, insert }: FileEdit,
  { states, findings }: Plan,
): boolean {
  const isRemovable = (address: string): boolean =>
    localAddress(address).startsWith('output.')
      ? findings.some(({ code, severity }) => code === 'OUTPUTS_REMOVED' && severity === 'decision')
      : states.some(({ provider }) => mayRemove(address, provider.to));
  return (
    remove.every(({ address }) => isRemovable(address)) &&
    configSyntax(file) !== undefined &&
    // Windows separates folders with a backslash
    !posix.basename(file).includes('\\') &&
    (sha256 === null ? states.some(({ dir }) => dir === posix.dirname(file)) : insert === undefined)
  );
}

function requireOrder(state: PlanState, plan: Plan): void {
  const own = plan.steps.filter((one) => [one.state, ...(one.states ?? [])].includes(state.name));
  const found = own.map(comparable);
  for (const candidate of candidates(state, own, plan)) {
    if (isDeepStrictEqual(candidate.map(comparable), found)) return;
  }
  throw unplanned(`these steps of state ${state.name}`);
}

/** Numbers, places and texts for the user, which differ between releases. */
const NOT_COMPARED = ['id', 'state', 'states', 'title', 'why', 'places'];

function comparable(step: StepDraft) {
  const runs = step.runs?.map(({ argv, ...run }) => ({
    ...run,
    argv: separateFlags(argv).command,
  }));
  const fields = Object.entries({ ...step, runs });
  return Object.fromEntries(fields.filter(([name]) => !NOT_COMPARED.includes(name)));
}

/** All step lists that `plan` can write for a state with these facts. */
function* candidates(
  state: PlanState,
  own: readonly Step[],
  plan: Plan,
): Generator<readonly StepDraft[]> {
  const facts = factsOfSavedPlan(state, own, plan);
  const names =
    state.method === 'blocks' ? ['blocks' as const] : (['import first', 'remove first'] as const);
  for (const name of names) {
    for (const isSynthesised of [false, true]) {
      for (const checkedAlone of [undefined, facts.own]) {
        yield writeSteps(name, { ...facts, isSynthesised, checkedAlone }).flat();
      }
    }
  }
  yield writeSteps('upgrade', { ...facts, isSynthesised: true }).flat();
  // a state without a step, and a plan in which no state has one
  yield [];
  yield checkWhole(state);
  yield checkEach(state, facts.own);
}

function factsOfSavedPlan(state: PlanState, own: readonly Step[], plan: Plan): StepFacts {
  const { provider, dir, lineage, serial } = state;
  const imports = importsOf(state, own, plan);
  const imported = new Set(imports.map(({ address }) => address));
  const isUpgrade = majorOf(provider.to) > majorOf(provider.from);
  const { reads }: ProviderFacts = providerMajors[majorOf(provider.to)];
  const mayImportAgain = isUpgrade || reads !== undefined;
  return {
    exists: lineage !== '' || own.some(({ runs = [] }) => runs.some(({ saveTo }) => saveTo)),
    dir,
    isSynthesised: false,
    // the plan has them only in this code
    stackBlocks: blocksOfOverrides(own.find(isOfProgram)?.code ?? ''),
    backup: backupFile(state, serial),
    removed: goneFrom(own).filter(
      (address) =>
        mayRemove(address, provider.to) ||
        (mayImportAgain && isRulesetAddress(address) && imported.has(address)),
    ),
    own: plan.zones.flatMap(({ ruleset }) => (ruleset.state === state.name ? ruleset : [])),
    checkedAlone: undefined,
    removal: removalOf(own),
    imports,
    provider: majorOf(provider.to),
    upgradeTo: isUpgrade ? provider.to : undefined,
  };
}

/** The blocks that the steps of a state, or the user, remove from its files. */
function removalOf(own: readonly Step[]): BlockRemoval {
  const byHand = own
    .filter((step) => isManual(step) && (step.runs === undefined || step.code !== undefined))
    .flatMap(({ addresses = [] }) => addresses);
  return {
    // a step with addresses declares a ruleset
    edits: own.flatMap((step) => (step.addresses ? [] : (step.edits ?? []))),
    manual: byHand.filter((one) => !isStateBlock(one)),
    removedAddresses: byHand.flatMap((one) => (one.startsWith('removed ') ? one.slice(8) : [])),
  };
}

/** Rulesets that the steps of a state import: those of the zones, and those that an earlier step removed. */
function importsOf(state: PlanState, own: readonly Step[], { zones }: Plan): PlannedImport[] {
  const removed = goneFrom(own);
  const imported = own.flatMap(({ importId = '', expects }) =>
    (expects?.present ?? []).map((address) => ({ address, importId })),
  );
  return imported.flatMap(({ address, importId }) => {
    const zone = zones.find(
      ({ ruleset }) => ruleset.state === state.name && ruleset.address === address,
    );
    const isAgain = isRulesetAddress(address) && removed.includes(address);
    if (zone === undefined && !(isAgain && isReimport(importId, state.provider.to))) return [];
    const edit = own.find((one) => one.edits && one.addresses?.includes(address))?.edits?.[0];
    const isGenerated = own.some(
      (step) => isManual(step) && step.runs?.some(({ argv }) => argv.includes(address)),
    );
    return {
      zoneId: zone?.zoneId ?? '',
      address,
      edit,
      importId: zone?.ruleset.importId ?? importId,
      declared: edit === undefined && !isGenerated,
    };
  });
}

function mayRemove(address: string, version: string): boolean {
  const retired = retiredTypes(version);
  return isLegacyWafAddress(address) || retired.some((type) => isOfType(address, type));
}

/** Whether an import id is that of a ruleset for this provider version. */
function isReimport(importId: string, version: string): boolean {
  const [, owner = '', id = ''] = importId.split('/');
  const known = [zoneImportId(version, owner, id), accountImportId(owner, id)];
  return isIdentifier(owner) && isIdentifier(id) && known.includes(importId);
}

export function unplanned(what: string): MigrationError {
  return new MigrationError('PLAN_INVALID', `the plan was edited: \`plan\` does not write ${what}`);
}

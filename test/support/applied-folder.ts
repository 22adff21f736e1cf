import { delimiter, dirname } from 'node:path';
import { type Finding } from '../../src/core/finding';
import { sha256 } from '../../src/core/json';
import { type JournalEntry, journalPath, planCopyPath } from '../../src/apply/journal/journal';
import { writeSteps } from '../../src/plan/steps/orders';
import {
  type Method,
  type Plan,
  type Run,
  type Step,
  type StepDraft,
  withDigest,
} from '../../src/plan/plan-schema';
import { type StepFacts } from '../../src/plan/facts/facts';
import { type FileEdit } from '../../src/tfconfig/file-edit';
import { planFolder } from './plan-folder';
import { runCli } from './run-cli';

/** The type of the legacy resource `a`, and of the ruleset `a` that replaces it. */
export const OLD = 'cloudflare_waf_rule';
export const RULESET = 'cloudflare_ruleset';
export const oldText = `resource "${OLD}" "a" {}\n`;
export const rulesetText = `resource "${RULESET}" "a" {}\n`;

/** A resource `a` as a state has it. */
export const resource = (type: string, more: object = {}) => ({
  mode: 'managed',
  type,
  name: 'a',
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances: [
    { schema_version: 0, attributes: { id: type === RULESET ? rulesetId('a') : 'a', ...more } },
  ],
});

const ZONE = 'f'.repeat(32);
const rulesetId = (letter: string) => letter.repeat(32);
/** The zone of the ruleset of a name, as a plan has it. */
export const plannedZone = (name: string, state = 'main'): Plan['zones'][number] => {
  const [id, address] = [rulesetId(name), `${RULESET}.${name}`];
  return { zoneId: ZONE, ruleset: { id, address, importId: `zone/${ZONE}/${id}`, state } };
};

/** The facts of a state into which rulesets are imported, and from which legacy resources are removed. */
export function stepFacts(
  rulesets: readonly string[],
  removed: readonly string[],
  more: Partial<StepFacts> = {},
): StepFacts {
  return {
    ...{ exists: true, dir: '.', isSynthesised: false, checkedAlone: undefined },
    ...{ backup: 'cf-waf-migrate-backup/main-1.tfstate', provider: 3, removed },
    removal: { edits: [], removedAddresses: [], manual: [] },
    upgradeTo: undefined,
    own: rulesets.map((name) => ({ address: `${RULESET}.${name}` })),
    imports: rulesets.map((name) => {
      const { zoneId, ruleset } = plannedZone(name);
      const { id, address, importId } = ruleset;
      return { zoneId, rulesetId: id, address, importId, declared: true };
    }),
    ...more,
  };
}

export const stateText = (serial: number, resources: readonly object[], more: object = {}) =>
  JSON.stringify({
    version: 4,
    terraform_version: '1.11.4',
    serial,
    lineage: 'l',
    outputs: {},
    resources,
    ...more,
  });

const EMPTY = JSON.stringify({
  ...{ format_version: '1.2', terraform_version: '1.11.4' },
  ...{ planned_values: {}, configuration: {}, resource_changes: [] },
});

/** What `init` leaves in the copy of a rehearsal. */
const INITIALISED = JSON.stringify({
  backend: {
    type: 'local',
    config: { path: null, workspace_dir: 'cf-waf-migrate-rehearsal.tfstate.d' },
  },
});

/** The commands of the kinds of steps that tests add. */
const commands: Partial<Record<Step['kind'], string[]>> = {
  'apply-blocks': [
    'plan -out=cf-waf-migrate.tfplan -input=false',
    'show -json cf-waf-migrate.tfplan',
    'apply -input=false cf-waf-migrate.tfplan',
  ],
  'upgrade-provider': ['init -upgrade -input=false'],
};

export interface Applied {
  /** Empty if the plan created the state. */
  readonly lineage?: string;
  /** Whether the plan imports the ruleset; default true. */
  readonly imports?: boolean;
  /** The rulesets that it imports; default `a`. */
  readonly rulesets?: readonly string[];
  /** The provider versions of the plan; default 3.35.0. */
  readonly provider?: Plan['states'][number]['provider'];
  /** The method of the plan; default `commands`. */
  readonly method?: Method;
  readonly input?: Partial<StepFacts>;
  /** Steps after the edit; commands accept the plan only if they are manual. */
  readonly steps?: readonly Partial<Step>[];
  /** Edits of other files, added to that of `main.tf`. */
  readonly edits?: readonly FileEdit[];
  readonly findings?: readonly Finding[];
  readonly zones?: Plan['zones'];
  readonly others?: readonly object[];
  /** Kinds of the steps that the journal has started; default all. */
  readonly begun?: readonly Step['kind'][];
  /** Journal entries after those that apply always writes. */
  readonly events?: readonly JournalEntry[];
  /** Kinds of journal entries that apply always writes but that this journal lacks. */
  readonly lost?: readonly JournalEntry['event'][];
}

/**
 * A folder after an apply, with its journal. Its Terraform refuses a push while the file `locked` exists, and
 * ignores it while `deaf` exists. It plans what `drift.json` says; by default nothing.
 */
export function appliedFolder(applied: Applied = {}) {
  const { lineage = 'l', steps = [], findings = [], others = [], events = [], lost = [] } = applied;
  const { imports = true, rulesets = imports ? ['a'] : [], method = 'commands' } = applied;
  const { zones = [], provider = { from: '3.35.0', to: '3.35.0' } } = applied;
  const edit = (file: string, before: string | null, after: string): FileEdit => ({
    ...{ file, sha256: before === null ? null : sha256(before), sha256After: sha256(after) },
    ...{ remove: [], diff: '', ...(before === null ? { insert: after } : {}) },
  });
  const declaration = edit('ruleset.tf', null, rulesetText);
  const removal = edit('main.tf', oldText, '');
  const edits = [declaration, removal];
  const { imports: taken, ...facts } = stepFacts(rulesets, [`${OLD}.a`], {
    exists: lineage !== '',
    removal: {
      edits: [...(imports ? [] : [declaration]), removal, ...(applied.edits ?? [])],
      ...{ removedAddresses: [], manual: [], diff: '' },
    },
    ...applied.input,
  });
  const input = {
    ...facts,
    own: [
      ...facts.own,
      ...zones.flatMap(({ ruleset }) => (ruleset.state === 'main' ? ruleset : [])),
    ],
    imports: taken.map((one, at) =>
      at > 0 ? one : { ...one, declared: false, edit: declaration },
    ),
  };
  const drafts: StepDraft[] = writeSteps(
    method === 'blocks' ? 'blocks' : 'import first',
    input,
  ).flat();
  const last = drafts.pop()!;
  const step = (more: Partial<Step>, at: number): Step => {
    const texts = { title: `step ${at + 1}`, why: 'so' };
    const { kind = 'check' } = more;
    const runs = commands[kind]?.map((line): Run => ({ argv: ['terraform', ...line.split(' ')] }));
    return { kind, state: 'main', ...texts, ...(runs && { runs }), ...more, id: String(at + 1) };
  };
  const plan = withDigest({
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: [...rulesets.map((name) => plannedZone(name)), ...zones],
    states: [
      {
        ...{
          name: 'main',
          dir: '.',
          workspace: 'default',
          lineage,
          serial: lineage === '' ? 0 : 1,
        },
        ...{ terraformVersion: '1.11.4', provider },
        ...{ method, because: 'so' },
      },
    ],
    steps: [...drafts, ...steps, last].map(step),
    findings,
  });
  const { begun } = applied;
  const started =
    begun?.flatMap((kind) => plan.steps.filter((one) => one.kind === kind)) ?? plan.steps;
  const before = stateText(1, [resource(OLD), ...others]);
  const saved = 'cf-waf-migrate-backup';
  const backup = `${saved}/main-1.tfstate`;
  const oldFile = `${saved}/files/${sha256(oldText)}`;
  const entries: JournalEntry[] = [
    { event: 'begin', digest: plan.digest },
    { event: 'backup', state: 'main', file: backup, sha256: sha256(before), lineage, serial: 1 },
    ...edits.map(({ file, sha256, sha256After }): JournalEntry => {
      const backup = sha256 === null ? null : oldFile;
      return { event: 'file', file, sha256, sha256After, backup };
    }),
    ...started.map(({ id }): JournalEntry => ({ event: 'start', step: id })),
  ];
  const noted = [
    ...entries.filter(
      ({ event }) => !lost.includes(event) && (event !== 'backup' || lineage !== ''),
    ),
    ...events,
  ];
  const journal = journalPath(plan.digest);
  const files = {
    [backup]: before,
    [oldFile]: oldText,
    'main.tf': '',
    'ruleset.tf': rulesetText,
    'state.json': stateText(3, [resource(RULESET), ...others]),
    'removed.json': stateText(4, others),
    [journal]: noted.map((one) => `${JSON.stringify(one)}\n`).join(''),
    [planCopyPath(journal)]: JSON.stringify(plan),
  };
  const terraform = `plan*) [ ! -e drift.json ] || exit 2 ;;
  show*) cat drift.json 2> /dev/null || echo '${EMPTY}' ;;
  init*) mkdir -p .terraform; echo '${INITIALISED}' > .terraform/terraform.tfstate ;;
  'state rm') [ -e deaf ] || cp removed.json state.json ;;
  'state push') if [ -e locked ]; then echo 'Error acquiring the state lock' >&2; cat locked >&2; exit 1; fi
    [ -e deaf ] || { for last; do :; done; cp "$last" state.json; } ;;`;
  const made = planFolder(plan, files, terraform);
  const { folder, at, write, text, rollback } = made;
  const { binary } = made.request.terraform;
  const state = (): { serial: number; resources: { type: string }[] } =>
    JSON.parse(text('state.json')!);
  const environment = { PATH: dirname(binary) + delimiter + (process.env['PATH'] ?? '') };
  const cliIn = (cwd: string, ...args: string[]) => runCli(args, { cwd, environment });
  return {
    ...{ folder, at, write, journal, plan, state, binary, environment, rollback },
    /** The Terraform calls so far. */
    calls: made.commands,
    types: () => state().resources.map(({ type }) => type),
    declared: () => ['main.tf', 'ruleset.tf'].flatMap((file) => text(file) ?? []),
    cli: (...args: string[]) => cliIn(folder, ...args),
    cliIn,
  };
}

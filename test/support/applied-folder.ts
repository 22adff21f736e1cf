import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type JournalEntry } from '../../src/actions/journal/journal';
import { journalPath, planCopyPath } from '../../src/actions/journal/journal-path';
import { rollback } from '../../src/actions/rollback/rollback';
import { type Finding } from '../../src/model/finding';
import { type Plan, type Step } from '../../src/plan/plan';
import { withDigest } from '../../src/plan/plan-digest';
import { fakeTerraform } from './fake-terraform';
import { runCli } from './run-cli';
import { temporaryFolder } from './temporary-folder';
import { withCommands } from './with-commands';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The type of the old resource `a`, and of the ruleset `a` that stands in for it. */
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
  instances: [{ schema_version: 0, attributes: { id: 'a', ...more } }],
});

/** A state of such resources. */
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

/** What differs from case to case. */
export interface Applied {
  /** Empty where the plan has made the state. */
  readonly lineage?: string;
  /** Whether the plan imports the ruleset; it does if it does not matter. */
  readonly imports?: boolean;
  /** Behind import and removal. */
  readonly steps?: readonly Partial<Step>[];
  readonly findings?: readonly Finding[];
  readonly zones?: Plan['zones'];
  /** The state before, beside the old resource. */
  readonly others?: readonly object[];
  /** Ids of the steps that the journal has begun; all if it does not matter. */
  readonly begun?: readonly string[];
  /** In the journal, behind what apply always writes. */
  readonly events?: readonly JournalEntry[];
  /** Kinds of lines of what apply always writes that the journal does not have. */
  readonly lost?: readonly JournalEntry['event'][];
}

/**
 * A folder as an apply leaves it, with its journal, and a Terraform whose push is refused while `locked` is
 * there, and does nothing while `deaf` is.
 */
export function appliedFolder(applied: Applied = {}) {
  const { lineage = 'l', steps = [], findings = [], others = [], events = [], lost = [] } = applied;
  const { imports = true, zones = [] } = applied;
  const folder = temporaryFolder();
  const at = (file: string) => join(folder, file);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  const step = (id: string, more: Partial<Step>): Step =>
    withCommands({
      ...{ id, kind: 'check', state: 'main', title: `step ${id}`, why: 'so' },
      ...more,
    });
  const edits = [
    { file: 'ruleset.tf', sha256: null, sha256After: sha256(rulesetText), insert: rulesetText },
    { file: 'main.tf', sha256: sha256(oldText), sha256After: sha256('') },
  ].map((edit) => ({ ...edit, remove: [], diff: '' }));
  const plan = withDigest({
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones,
    states: [
      {
        ...{
          name: 'main',
          dir: '.',
          workspace: 'default',
          lineage,
          serial: lineage === '' ? 0 : 1,
        },
        ...{ terraformVersion: '1.11.4', provider: { from: '3.35.0', to: '3.35.0' } },
        ...{ method: 'commands', because: 'so' },
      },
    ],
    steps: [
      step('1', imports ? { kind: 'import', expects: { present: [`${RULESET}.a`] } } : {}),
      step('2', { kind: 'remove', expects: { gone: [`${OLD}.a`] } }),
      ...steps.map((one, index) => step(String(index + 3), one)),
      step(String(steps.length + 3), { kind: 'edit', edits }),
    ],
    findings,
  });
  const { begun = plan.steps.map(({ id }) => id) } = applied;
  const before = stateText(1, [resource(OLD), ...others]);
  const saved = 'cf-waf-migrate-backup';
  const backup = `${saved}/main-1.tfstate`;
  const oldFile = `${saved}/files/${sha256(oldText)}`;
  write(backup, before);
  write(oldFile, oldText);
  write('main.tf', '');
  write('ruleset.tf', rulesetText);
  write('state.json', stateText(3, [resource(RULESET), ...others]));
  const entries: JournalEntry[] = [
    { event: 'begin', digest: plan.digest },
    { event: 'backup', state: 'main', file: backup, sha256: sha256(before), lineage, serial: 1 },
    ...edits.map(({ file, sha256, sha256After }): JournalEntry => {
      const backup = sha256 === null ? null : oldFile;
      return { event: 'file', file, sha256, sha256After, backup };
    }),
    ...begun.map((step): JournalEntry => ({ event: 'start', step })),
  ];
  const noted = [
    ...entries.filter(
      ({ event }) => !lost.includes(event) && (event !== 'backup' || lineage !== ''),
    ),
    ...events,
  ];
  const journal = journalPath(plan.digest);
  write(journal, noted.map((one) => `${JSON.stringify(one)}\n`).join(''));
  write(planCopyPath(journal), JSON.stringify(plan));
  const body = `case "$2" in
    pull) cat state.json ;;
    push) if [ -e locked ]; then echo 'Error acquiring the state lock' >&2; exit 1; fi
      if [ -e deaf ]; then exit 0; fi
      for last; do :; done; cp "$last" state.json ;;
  esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const binary = fake.path;
  const terraform = { binary, environment: { PATH: process.env['PATH'] } };
  const state = () =>
    JSON.parse(readFileSync(at('state.json'), 'utf8')) as {
      serial: number;
      resources: { type: string }[];
    };
  const cliIn = (cwd: string, ...args: string[]) =>
    runCli([...args, '--terraform', binary], { cwd });
  return {
    folder,
    at,
    write,
    journal,
    plan,
    state,
    /** How Terraform was started so far. */
    calls: () => fake.calls(),
    types: () => state().resources.map(({ type }) => type),
    declared: () =>
      ['main.tf', 'ruleset.tf']
        .filter((file) => existsSync(at(file)))
        .map((file) => readFileSync(at(file), 'utf8')),
    rollback: (more: { force?: boolean; fault?: (point: string) => void } = {}) =>
      rollback({ journal: at(journal), plan, folder, terraform, force: false, ...more }),
    cli: (...args: string[]) => cliIn(folder, ...args),
    cliIn,
  };
}

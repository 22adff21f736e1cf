import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { findProviderMajor, providerMajors } from '../core/provider-majors';
import { firstOrphan, foreignImport, obstacleToBlocks } from './blocks';
import { type Facts, type StepFacts } from './facts';
import { knowsLegacyWaf, majorOf, precedes } from './provider-versions';
import { type OrderName } from './steps';

/** A row of the table in docs/plan-format.md. */
interface Row {
  readonly when: string;
  readonly holds: (facts: Facts) => boolean;
  readonly order: OrderName;
  /** The reason after "because". `{…}` is a word that {@link wordsOf} replaces for each state. */
  readonly because: string;
}

/** All cases and their orders. The first matching row applies. */
export const orderTable: readonly Row[] = [
  {
    when: 'No zone is selected, and nothing stops Terraform from planning',
    holds: ({ scope, blockages }) => scope.asked.length === 0 && blockages.length === 0,
    order: 'nothing',
    because: 'nothing in this state stops Terraform from planning',
  },
  {
    when: 'No zone is selected',
    holds: ({ scope }) => scope.asked.length === 0,
    order: 'remove first',
    because: 'no zone is selected: the plan removes only what stops Terraform from planning',
  },
  {
    when: 'Nothing is imported or removed',
    holds: ({ isIdle }) => isIdle,
    order: 'nothing',
    because: 'nothing is imported into this state or removed from it',
  },
  {
    when: '`--method blocks`',
    holds: ({ method }) => method === 'blocks',
    order: 'blocks',
    because:
      'method blocks was selected, and provider 3 forgets legacy resources without calling the legacy API',
  },
  {
    when: 'The state has no legacy resource and imports a ruleset; the plan has another state',
    holds: ({ state, imports, scope }) =>
      state.legacyResources.length === 0 && imports.length > 0 && !scope.isAlone,
    order: 'remove first',
    because:
      'this state has no legacy resources and imports the rulesets, before they are removed from the other state',
  },
  {
    when: 'The state has no legacy resource and imports a ruleset',
    holds: ({ state, imports }) => state.legacyResources.length === 0 && imports.length > 0,
    order: 'remove first',
    because: 'this state has no legacy resources, and imports the rulesets',
  },
  {
    when: 'The installed provider is unknown',
    holds: ({ state }) => state.installed === undefined,
    order: 'remove first',
    because: 'the installed provider is unknown, and removing first works with every version',
  },
  {
    when: 'The provider changes to a later major, and the state owns rulesets',
    holds: ({ from, to, reimported }) => majorOf(to) > majorOf(from) && reimported.length > 0,
    order: 'remove first',
    because:
      'the provider changes to {to}: rulesets are removed from the state and imported again, so that no state upgrade is needed',
  },
  {
    when: 'Provider 5 is installed, and provider 3 or 4 wrote rulesets of the state',
    holds: ({ reimported }) => reimported.length > 0,
    order: 'remove first',
    because:
      'provider 3 or 4 wrote rulesets of this state, which not every provider {to} can read: they are removed and imported again',
  },
  {
    when: 'Provider 4 or 5 is installed',
    holds: ({ from }) => !knowsLegacyWaf(from),
    order: 'remove first',
    because:
      'provider {from} is installed, which cannot plan while legacy resources are in the state',
  },
  {
    when: 'The provider changes to 4 or 5',
    holds: ({ to }) => !knowsLegacyWaf(to),
    order: 'remove first',
    because:
      'the provider changes to {to}, which cannot plan while legacy resources are in the state',
  },
  {
    when: 'A provider configuration of legacy resources is gone',
    holds: ({ orphans }) => orphans.size > 0,
    order: 'remove first',
    because:
      'the configuration of {orphan} is gone, and terraform import needs it for the resources that use it',
  },
  {
    when: 'The state has legacy data sources',
    holds: (facts) => dataSources(facts).length > 0,
    order: 'remove first',
    because:
      'the state has legacy data sources ({held}), and terraform import reads every data source',
  },
  {
    when: 'The configuration declares legacy data sources',
    holds: (facts) => declaredDataSources(facts).length > 0,
    order: 'remove first',
    because:
      'the configuration declares legacy data sources ({declared}), and terraform import reads every data source',
  },
  {
    when: 'Provider 3 is installed and stays',
    holds: () => true,
    order: 'import first',
    because: 'provider 3 is installed and stays, and there is no legacy data source',
  },
];

function wordsOf(facts: Facts): Readonly<Record<string, string | number>> {
  return {
    from: majorOf(facts.from),
    to: majorOf(facts.to),
    orphan: firstOrphan(facts),
    held: dataSources(facts).length,
    declared: declaredDataSources(facts).length,
  };
}

/** Chooses the order of one state from {@link orderTable}, with the reason. */
export function chooseOrder(facts: Facts): Pick<Row, 'order' | 'because'> {
  const row = orderTable.find(({ holds }) => holds(facts));
  if (row === undefined) throw new Error('the last row always matches');
  const words = wordsOf(facts);
  const because = row.because.replace(/\{(\w+)\}/g, (_, name: string) => String(words[name]));
  return { order: row.order, because };
}

interface Refusal {
  /** Returns undefined if there is no problem. */
  readonly message: (facts: Facts, steps: StepFacts) => string | undefined;
  readonly hint?: string | ((facts: Facts) => string | undefined);
}

const UPGRADE = `set the provider version to ${providerMajors[3].last} (or a supported 4 or 5) in required_providers, run \`terraform init -upgrade\`, then plan again`;

/** Earlier versions fail with `Import is not yet supported for Rulesets`. */
const FIRST_WITH_IMPORT = '3.29.0';

/** Cases that no order supports. */
const refusals: readonly Refusal[] = [
  {
    message: ({ state, from }) =>
      findProviderMajor(from) === undefined
        ? `${named(state)} uses provider ${from}, which is not supported`
        : undefined,
    hint: UPGRADE,
  },
  {
    message: ({ from, to }) =>
      majorOf(to) < majorOf(from)
        ? `provider ${majorOf(from)} cannot go back to ${majorOf(to)}: the later version has changed the state`
        : undefined,
    hint: 'pass --to with the major that is installed, or a later one',
  },
  {
    message: (facts) => {
      const obstacle = facts.method === 'blocks' ? obstacleToBlocks(facts) : undefined;
      return obstacle && `method blocks does not work for ${named(facts.state)}: ${obstacle}`;
    },
    // method blocks needs the provider that knows the legacy types, so the major changes in a later plan
    hint: ({ from, to }) =>
      majorOf(to) === majorOf(from)
        ? undefined
        : `run plan --method blocks without --to, and merge and apply its pull request; then change the provider: cf-waf-migrate plan --to ${to}`,
  },
  {
    message: ({ state, imports, to }) =>
      imports.length > 0 && precedes(to, FIRST_WITH_IMPORT)
        ? `${named(state)}: provider ${to} cannot import rulesets, ${FIRST_WITH_IMPORT} and later can`
        : undefined,
    hint: UPGRADE,
  },
  {
    message: ({ method }, steps) => {
      const foreign = method === 'blocks' ? foreignImport(steps) : undefined;
      return (
        foreign &&
        `method blocks does not work: the import block in ${printable(foreign.file, 400)}:${foreign.range.startLine} imports another object at the address of the ruleset`
      );
    },
    hint: 'remove this block, once it is applied if another workspace imports that object; or leave out --method',
  },
  {
    message: ({ method, removal }, steps) => {
      const [byReference] =
        removal?.findings.filter(({ code }) => code === 'BLOCK_REFERENCED') ?? [];
      return isOneEdit(method, steps) && byReference
        ? `method blocks does not work: in ${byReference.subject} ${printable(byReference.message, 500)}`
        : undefined;
    },
    hint: 'change or delete each such reference, then plan again. Without --method, the plan lists all of them and chooses another order',
  },
  {
    message: ({ method, removal }, steps) => {
      const [byHand] = removal?.manual ?? [];
      return isOneEdit(method, steps) && byHand !== undefined
        ? `method blocks does not work: ${printable(byHand, 400)} must be removed by hand`
        : undefined;
    },
    hint: 'leave out --method, then plan again',
  },
  {
    message: ({ method }, steps) => {
      const undeclared = steps.imports.find(({ edit, declared }) => !edit && !declared);
      return isOneEdit(method, steps) && undeclared
        ? `method blocks does not work: the plan cannot declare ${printable(undeclared.address, 400)}`
        : undefined;
    },
    hint: 'leave out --ruleset-id, pass another --address if its file exists, or declare the ruleset first with generate --source live',
  },
];

/** @throws MigrationError `METHOD_UNSUITABLE` if no order works for a state */
export function refuse(facts: Facts, steps: StepFacts): void {
  for (const { message, hint } of refusals) {
    const text = message(facts, steps);
    if (text === undefined) continue;
    const shown = typeof hint === 'function' ? hint(facts) : hint;
    throw new MigrationError('METHOD_UNSUITABLE', text, shown === undefined ? {} : { hint: shown });
  }
}

/** In a CDKTF stack the user makes the change, so there is no edit. */
function isOneEdit(method: Facts['method'], { isSynthesised }: StepFacts): boolean {
  return method === 'blocks' && !isSynthesised;
}

function dataSources({ state }: Facts): Facts['leaving'] {
  return state.legacyResources.filter(({ mode }) => mode === 'data');
}

function declaredDataSources({ legacyBlocks }: Facts): Facts['legacyBlocks'] {
  return legacyBlocks.filter(({ mode }) => mode === 'data');
}

function named({ name }: Facts['state']): string {
  return `state ${printable(name, 80)}`;
}

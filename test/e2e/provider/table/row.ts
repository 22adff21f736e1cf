import {
  canonicalAddress,
  canonicalImportId,
  canonicalScenario,
  type RulesetAnswer,
} from '../../../support/canonical';
import { inLab, type Lab, type Outcome, type Verdict } from '../../../support/lab';
import { type StartOptions } from '../../../support/provider/start';
import { type Major } from '../../../support/provider/schema/load-schema';
import { Edit } from './edit';

/** One line of the measured table: a change of the canonical pair, and what each major plans. */
export interface Row {
  name: string;
  /** What the service has instead. */
  api?: (ruleset: RulesetAnswer) => void;
  /** What the configuration says instead. */
  config?: (edit: Edit) => void;
  /** For 3, 4 and 5: E empty, D difference, R replacement, X error, - not applicable. */
  plans: `${Letter} ${Letter} ${Letter}`;
  /** What else the plan says, by major. */
  says?: Partial<Record<Major, string | RegExp>>;
}
type Letter = 'E' | 'D' | 'R' | 'X' | '-';

const outcomes: Record<Letter, Outcome | null> = {
  E: 'empty',
  D: 'diff',
  R: 'replace',
  X: 'error',
  '-': null,
};

/** What a row expects of a major; null when it does not apply. */
export function expected(row: Row, major: Major): Outcome | null {
  return outcomes[row.plans.split(' ')[major - 3] as Letter];
}

export type Options = Pick<StartOptions, 'major'> & Partial<StartOptions>;

/** The row as it happens: import, change, plan. White space in the text is made one space. */
export async function judge(row: Row, options: Options): Promise<Verdict> {
  const verdict = await inLab({ ...options, scenario: canonicalScenario(row.api) }, async (lab) => {
    if (row.api === undefined) lab.write('terraform.tfstate', await importedState(options));
    else await importCanonical(lab, options.major);
    const edit = new Edit(options.major);
    row.config?.(edit);
    lab.write('main.tf.json', edit.file);
    return lab.plan();
  });
  return { ...verdict, text: verdict.text.replace(/\s+/g, ' ') };
}

/** Imports the ruleset with the canonical configuration, as it is. */
export async function importCanonical(lab: Lab, major: Major): Promise<void> {
  lab.write('main.tf.json', new Edit(major).file);
  const run = await lab.terraform('import', canonicalAddress, canonicalImportId(major));
  if (run.code !== 0) throw new Error(`the import failed: ${run.stderr}`);
}

const states = new Map<string, Promise<string>>();

/** The state after the import of what the service has: the same for every row that changes nothing there. */
function importedState(options: Options): Promise<string> {
  const key = JSON.stringify(options);
  const known = states.get(key);
  if (known !== undefined) return known;
  const state = inLab({ ...options, scenario: canonicalScenario() }, async (lab) => {
    await importCanonical(lab, options.major);
    return lab.read('terraform.tfstate');
  });
  states.set(key, state);
  return state;
}

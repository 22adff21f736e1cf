import {
  canonicalAddress,
  canonicalImportId,
  canonicalScenario,
  type RulesetAnswer,
} from '../../../support/canonical';
import { inLab, type Lab, type Outcome, type Verdict } from '../../../support/lab';
import { type Major } from '../../../support/provider/schema/load-schema';
import { Edit } from './edit';

/** One row of the measured table: a change of the canonical pair, and the plan of each major. */
export interface Row {
  name: string;
  /** The change of the live ruleset. */
  api?: (ruleset: RulesetAnswer) => void;
  /** The change of the configuration. */
  config?: (edit: Edit) => void;
  /** For 3, 4 and 5: E empty, D difference, R replacement, X error, - not applicable. */
  plans: `${Letter} ${Letter} ${Letter}`;
  /** Other text of the plan, by major. */
  says?: Partial<Record<Major, string | RegExp>>;
}

/** A row: the plans for 3, 4 and 5, its name, and what changes. */
export const row = (
  plans: Row['plans'],
  name: string,
  changes: Pick<Row, 'api' | 'config' | 'says'> = {},
): Row => ({ name, plans, ...changes });

type Letter = 'E' | 'D' | 'R' | 'X' | '-';

const outcomes: Record<Letter, Outcome | null> = {
  E: 'empty',
  D: 'diff',
  R: 'replace',
  X: 'error',
  '-': null,
};

/** The expected result of a row for a major; null if it does not apply. */
export function expected(row: Row, major: Major): Outcome | null {
  return outcomes[row.plans.split(' ')[major - 3] as Letter];
}

/** The measured result of the row: import, change, plan. White space is reduced to one space. */
export async function judge(row: Row, major: Major): Promise<Verdict> {
  const verdict = await inLab({ major, scenario: canonicalScenario(row.api) }, async (lab) => {
    await importCanonical(lab, major);
    const edit = new Edit(major);
    row.config?.(edit);
    lab.write('main.tf.json', edit.file);
    return lab.plan();
  });
  return { ...verdict, text: verdict.text.replace(/\s+/g, ' ') };
}

/**
 * Rows without an error, tested in one Terraform plan: each has a separate zone, and an import block.
 * The text of a row is its part of the plan, and the warnings.
 */
export async function judgeTogether(rows: readonly Row[], major: Major): Promise<Verdict[]> {
  const [zone] = canonicalScenario().zones;
  const idOf = (at: number, first: string): string => first + at.toString(16).padStart(31, '0');
  const zones = rows.map(({ api }, at) => {
    const [ruleset] = canonicalScenario(api).zones[0]!.rulesets;
    const id = idOf(at, '1');
    return {
      ...zone,
      id,
      name: `row-${at}.example.com`,
      rulesets: [{ ...ruleset, id: idOf(at, 'a') }],
    };
  });
  const resources = rows.map(({ config }, at) => {
    const edit = new Edit(major);
    config?.(edit);
    return [`row_${at}`, { ...edit.resource, zone_id: idOf(at, '1') }];
  });
  const imports = rows.map((_, at) => ({
    to: `cloudflare_ruleset.row_${at}`,
    id: `${major === 5 ? 'zones' : 'zone'}/${idOf(at, '1')}/${idOf(at, 'a')}`,
  }));
  const scenario = { ...canonicalScenario(), zones };
  const { text } = await inLab({ major, scenario }, (lab) => {
    const resource = { cloudflare_ruleset: Object.fromEntries(resources) };
    lab.write('main.tf.json', { ...new Edit(major).file, resource, import: imports });
    return lab.plan();
  });
  const warnings = text.slice(text.lastIndexOf('\nPlan: ')).replace(/\s+/g, ' ');
  return rows.map((_, at) => {
    const [part = ''] =
      new RegExp(`# cloudflare_ruleset\\.row_${at} [^]*?(?:\\n\\n  # |$)`).exec(text) ?? [];
    const outcome = /will be imported/.test(part)
      ? 'empty'
      : /will be updated/.test(part)
        ? 'diff'
        : /must be replaced/.test(part)
          ? 'replace'
          : 'error';
    return { outcome, text: outcome === 'error' ? text : part.replace(/\s+/g, ' ') + warnings };
  });
}

/** Imports the ruleset with the unchanged canonical configuration. */
export async function importCanonical(lab: Lab, major: Major): Promise<void> {
  lab.write('main.tf.json', new Edit(major).file);
  const run = await lab.terraform('import', canonicalAddress, canonicalImportId(major));
  if (run.code !== 0) throw new Error(`the import failed: ${run.stderr}`);
}

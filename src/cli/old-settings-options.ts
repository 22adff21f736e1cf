import { loadCatalogue } from '../translate/source/load-catalogue';
import { readSavedManagedIds } from '../report/managed-rule-ids';
import { inGroup } from './option-group';
import { type Command as Commander } from 'commander';
import { resolve } from 'node:path';
import { type CliContext } from './context';
import { type StatePlaces } from './read-states';
import { withTerraform } from './terraform-options';

/** Flags of the commands that translate old settings. */
export interface OldSettingsOptions extends StatePlaces {
  readonly catalogue?: string;
  readonly managedRuleset?: string;
}

/** Adds the flags of {@link OldSettingsOptions}. */
export function withOldSettings(command: Commander): Commander {
  return inGroup(withTerraform(command), 'Old settings', (group) =>
    group
      .option('--state <file>', 'old settings: a state file, or - for standard input')
      .option('--dir <dir...>', 'old settings: Terraform folders, whose state is pulled')
      .option('--catalogue <file>', 'what you know of old and new rules (docs/catalogue.md)')
      .option(
        '--managed-ruleset <file>',
        'a saved answer of GET …/rulesets/<id> of the Cloudflare Managed Ruleset: completes ids',
      ),
  );
}

/**
 * What the translation is told beside the settings.
 * @throws MigrationError `FILE_UNREADABLE`, `CATALOGUE_INVALID`, `MANAGED_RULESET_INVALID`
 */
export async function translateOptions(
  { catalogue, managedRuleset }: OldSettingsOptions,
  { cwd }: CliContext,
) {
  return {
    catalogue: await loadCatalogue(catalogue === undefined ? undefined : resolve(cwd, catalogue)),
    ...(managedRuleset === undefined
      ? {}
      : { managedIds: await readSavedManagedIds(resolve(cwd, managedRuleset)) }),
  };
}

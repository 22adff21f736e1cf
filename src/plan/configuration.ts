import { type ConfigProject } from '../blocks/config-module';
import { type HclGrammar } from '../blocks/hcl-grammar';

/** The configuration of a state's folder, read from its files. */
export interface Configuration {
  readonly project: ConfigProject;
  readonly grammar: HclGrammar;
  /** Where the files that a link leads to, and the folder, really are, by their names in the plan. */
  readonly linkedFiles?: ReadonlyMap<string, string> | undefined;
}

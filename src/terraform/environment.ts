import { resolve } from 'node:path';
import { NEUTRALISED_VARIABLES } from '../core/terraform-syntax';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Windows ignores the case of variable names. */
const NEUTRALISED = new RegExp(`^(${NEUTRALISED_VARIABLES.join('|')})`, 'i');

/**
 * The user's environment, with `TF_WORKSPACE` and `TF_DATA_DIR`, but without variables that would change this
 * tool's commands.
 */
export function terraformEnvironment(environment: Environment): Record<string, string | undefined> {
  const inherited = Object.entries(environment).filter(([name]) => !NEUTRALISED.test(name));
  return { ...Object.fromEntries(inherited), TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
}

/** The folder in which Terraform keeps modules, providers and the workspace of a configuration. */
export function dataFolder(dir: string, environment: Environment): string {
  return resolve(dir, environment['TF_DATA_DIR'] || '.terraform');
}

/** The user's variables that are removed and would have an effect. */
export function neutralisedVariables(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => NEUTRALISED.test(name) && environment[name] !== '')
    .filter((name) => !/^TF_INPUT$/i.test(name) || !/^(0|false)$/i.test(environment[name] ?? ''))
    .sort();
}

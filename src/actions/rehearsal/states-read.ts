import { statSync } from 'node:fs';
import { type ResourceBlock } from '../../blocks/config-module';
import { type ConfigValue, Expression, objectsOf, stringOf } from '../../blocks/config-value';
import { mergedBody } from '../../blocks/merged-body';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type CalledModule } from './called-modules';
import { type Part, seenFrom } from './part';
import { withWorkspace, writtenPath } from './written-path';

/**
 * The files of states that a configuration reads by `data "terraform_remote_state"` with a local backend; none of
 * an absolute path, which Terraform reads where it is.
 *
 * @param root the folder that Terraform runs in: from there it reckons
 * @throws MigrationError `REHEARSAL_IMPOSSIBLE` where only Terraform knows the path
 */
export function statesRead(
  modules: readonly CalledModule[],
  root: Part,
  workspace: string,
): Part[] {
  return modules.flatMap((called) =>
    called.module.resources
      .filter(({ mode, type }) => mode === 'data' && type === 'terraform_remote_state')
      .flatMap((resource) => {
        const template = templateOf(mergedBody(called.module, resource), workspace);
        const path = template === undefined ? undefined : writtenPath(template);
        if (path === undefined) return [];
        if (!path.isWhole) throw unknownState(resource);
        const part = seenFrom(path.isOfModule ? called : root, path.text);
        return statSync(part.from, { throwIfNoEntry: false })?.isFile() === true ? [part] : [];
      }),
  );
}

/** Undefined where the backend is no local one. */
function templateOf(body: ReadonlyMap<string, ConfigValue>, workspace: string): string | undefined {
  if (stringOf(body.get('backend')) !== 'local') return undefined;
  const config = body.get('config');
  const [given] = objectsOf(config);
  const argument = (called: string): ConfigValue | undefined =>
    config instanceof Expression ? config : given?.get(called);
  const textOf = (value: ConfigValue | undefined, otherwise: string): string =>
    withWorkspace(asTemplate(value) ?? otherwise, workspace);
  const name = textOf(body.get('workspace'), 'default');
  if (name === 'default') return textOf(argument('path'), 'terraform.tfstate');
  const folder = textOf(argument('workspace_dir'), 'terraform.tfstate.d');
  return `${folder}/${name}/terraform.tfstate`;
}

/** A value as a template: an expression is one that holds nothing else. */
function asTemplate(value: ConfigValue | undefined): string | undefined {
  if (!(value instanceof Expression)) return stringOf(value);
  const [, quoted] = /^"([^"\\]*)"$/.exec(value.text) ?? [];
  // of JSON a template comes without quotes
  const isBare = !/^[^"]*[$%]\{/.test(value.text);
  return quoted ?? (isBare ? `\${${value.text}}` : value.text);
}

function unknownState({ name, file }: ResourceBlock): MigrationError {
  return new MigrationError(
    'REHEARSAL_IMPOSSIBLE',
    `data.terraform_remote_state.${printable(name)} in ${printable(file.path)} reads a state from a file whose path only Terraform knows: it cannot be copied`,
    { hint: 'write the path out, or carry the plan out with `apply`, which can be rolled back' },
  );
}

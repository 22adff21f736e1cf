import { dirname, join, relative, sep } from 'node:path';
import { type ProviderMajor } from '../model/provider-majors';
import { dialects } from '../generate/dialects/registry';
import { flavors } from '../generate/flavor';
import { type StackNames } from '../generate/names';
import { type ExistingProject } from './existing-project';

/**
 * What a person adds to a project after the file of a zone was put there: nobody else's file is
 * touched.
 */
export function byHand(
  project: ExistingProject,
  { slug, className }: StackNames,
  provider: ProviderMajor,
): string[] {
  const { main, hasBindings, flavor } = project;
  const { bindings } = flavors[flavor];
  const install = hasBindings ? [] : [`npm install ${bindings}@${dialects[provider].bindings}`];
  if (main === undefined) return install;
  const from = relative(dirname(join(project.dir, main)), join(project.out, slug));
  const path = from.split(sep).join('/');
  return [
    ...install,
    `in ${main}: import { ${className} } from "${path.startsWith('.') ? path : `./${path}`}";`,
    `in ${main}, before app.synth(): new ${className}(app, "${slug}");`,
  ];
}

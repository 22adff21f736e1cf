import { dirname, join, relative } from 'node:path';
import { posixPath } from '../../core/posix-quote';
import { type ProviderMajor } from '../../core/provider-majors';
import { type Dialect } from '../dialects/dialect';
import { dialects } from '../dialects/registry';
import { flavors } from '../flavor';
import { type StackNames } from '../names';
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
  const { main, hasBindings } = project;
  const install = hasBindings ? [] : installSteps(project, dialects[provider]);
  if (main === undefined) return install;
  const path = posixPath(relative(dirname(join(project.dir, main)), join(project.out, slug)));
  return [
    ...install,
    `in ${main}: import { ${className} } from "${path.startsWith('.') ? path : `./${path}`}";`,
    `in ${main}, before app.synth(): new ${className}(app, "${slug}");`,
  ];
}

/** npm refuses bindings that were made for another CDKTF, though they work with a later one. */
function installSteps({ flavor, core: range }: ExistingProject, dialect: Dialect): string[] {
  const { bindings, cli, core, isPublished } = flavors[flavor];
  if (!isPublished) {
    const provider = `cloudflare/cloudflare@${dialect.constraint}`;
    return [`in cdktf.json: "terraformProviders": ["${provider}"]; then run: ${cli} get`];
  }
  const install = `npm install ${bindings}@${dialect.bindings}`;
  const later = laterThan(range ?? '', dialect.bindingsCore);
  if (later === 0) return [install];
  const since = `since these bindings ask for ${core} ${dialect.bindingsCore}`;
  if (later < 0) return [`${since}: npm install ${core}@${dialect.bindingsCore}`, install];
  const overrides = { [bindings]: { [core]: `$${core}`, constructs: '$constructs' } };
  return [`in package.json, ${since}: "overrides": ${JSON.stringify(overrides)}`, install];
}

/** How many minor releases a range is ahead; 0 too where it is not of one (`latest`, `>=0.20 <1`). */
function laterThan(range: string, release: string): number {
  const [one, other] = [range, release].map((text) => {
    const [, major, minor] = /^[\^~=v]*(\d+)\.(\d+)(?:\.[\w.+-]+)?$/.exec(text.trim()) ?? [];
    return Number(major) * 1000 + Number(minor);
  });
  return (one ?? NaN) - (other ?? NaN) || 0;
}

import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(__dirname, '../bindings');

/** Loads packages as a project does that has the bindings of this major: `require` for its stacks. */
export function requireWith(major: 3 | 4): (name: string) => any {
  const load = createRequire(join(folder, 'package.json'));
  return (name) => load(name.replace('@cdktf/provider-cloudflare', `provider-${major}`));
}

/** Where the compiler finds the packages of such a project. */
export function pathsWith(major: 3 | 4): Record<string, string[]> {
  const modules = join(folder, 'node_modules');
  return {
    '@cdktf/provider-cloudflare/*': [join(modules, `provider-${major}/*`)],
    cdktf: [join(modules, 'cdktf')],
    constructs: [join(modules, 'constructs')],
  };
}

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

const installed = join(__dirname, '../bindings/node_modules');
const published = join(__dirname, '../../node_modules/@cdktf/provider-cloudflare/lib');

/** A project of CDK Terrain, CDKTF's successor, as the tests use it. */
export interface CdktnProject {
  /** `require` for its stacks; it also resolves the name of CDKTF's core. */
  readonly load: (name: string) => any;
  /** The paths at which the compiler finds its packages. */
  readonly paths: Record<string, string[]>;
}

/**
 * Creates a project with the real core of CDK Terrain. No registry has its bindings: they are the bindings of
 * CDKTF with the other core name, as their generator writes them.
 */
export function cdktnProject(): CdktnProject {
  const modules = join(temporaryFolder(), 'node_modules');
  const bindings = join(modules, '@cdktn/provider-cloudflare');
  for (const part of ['ruleset', 'provider']) {
    const folder = join(bindings, 'lib', part);
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(join(published, part))) {
      const text = readFileSync(join(published, part, file), 'utf8');
      writeFileSync(join(folder, file), text.replace(/(['"])cdktf\1/g, '$1cdktn$1'));
    }
  }
  for (const name of ['cdktn', 'constructs']) {
    symlinkSync(join(installed, name), join(modules, name), 'dir');
  }
  const load = createRequire(join(modules, 'any.js'));
  return {
    load: (name) => load(name === 'cdktf' ? 'cdktn' : name),
    paths: {
      '@cdktn/provider-cloudflare/*': [join(bindings, '*')],
      cdktn: [join(modules, 'cdktn')],
      constructs: [join(modules, 'constructs')],
    },
  };
}

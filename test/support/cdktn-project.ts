import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runProcess } from './run-process';
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

const root = join(__dirname, '../..');
const generator = join(root, 'test/cdktf-cli/node_modules/@cdktf/provider-generator');
const schema = join(root, 'test/fixtures/terraform/schemas/5.22.0.json');

/**
 * Does the work of `npm install` and `cdktn get` without a Terraform registry and without cdktn-cli. The
 * generator of CDKTF makes the bindings from the measured schema, with the other core name.
 */
export async function installCdktn(project: string): Promise<void> {
  const own = ['cdktf', 'constructs', '@cdktf', '.package-lock.json'];
  mkdirSync(join(project, 'node_modules'));
  const link = (from: string, name: string) => {
    symlinkSync(join(from, name), join(project, 'node_modules', name));
  };
  const shared = join(root, 'node_modules');
  for (const name of readdirSync(shared)) if (!own.includes(name)) link(shared, name);
  for (const name of ['cdktn', 'constructs']) link(join(root, 'test/bindings/node_modules'), name);

  const output = join(project, '.gen');
  const program = `require(${JSON.stringify(generator)}).generateProviderBindingsFromSchema(
    ${JSON.stringify(output)}, require(${JSON.stringify(schema)}))`;
  const made = await runProcess(process.execPath, ['-e', program]);
  if (made.code !== 0) throw new Error(made.stderr);
  for (const file of readdirSync(output, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const path = join(output, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll("from 'cdktf'", "from 'cdktn'"));
  }
}

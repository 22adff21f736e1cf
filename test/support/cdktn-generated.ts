import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from './run-process';

const root = join(__dirname, '../..');
const generator = join(root, 'test/cdktf-cli/node_modules/@cdktf/provider-generator');
const schema = join(root, 'test/fixtures/terraform/schemas/5.22.0.json');

/**
 * Does in a generated project what `npm install` and `cdktn get` do, with neither a registry of Terraform nor
 * cdktn-cli: bindings are generated from the measured schema by the generator of CDKTF, with the name of the core
 * changed.
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

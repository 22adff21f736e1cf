import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { type Construct } from 'constructs';

type StackClass = new (scope: Construct, id: string) => TerraformStack;

/**
 * The app: one stack for each generated zone file in this folder or STACKS_DIR. With STACK it
 * creates only that stack and does not load the other files.
 */
async function main(): Promise<void> {
  const folder = process.env['STACKS_DIR'] ?? __dirname;
  const only = process.env['STACK'];
  const app = new App();
  for (const file of only ? [`${basename(only)}.ts`] : readdirSync(folder).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.d.ts') || file === 'main.ts') continue;
    const path = join(folder, file);
    if (!existsSync(path)) throw new Error(`there is no stack ${path}`);
    const exported: unknown = await import(path);
    const Stack = Object.values(exported ?? {}).find(isStackClass);
    if (Stack === undefined) throw new Error(`${file} exports no stack`);
    new Stack(app, basename(file, '.ts'));
  }
  app.synth();
}

function isStackClass(value: unknown): value is StackClass {
  return typeof value === 'function' && value.prototype instanceof TerraformStack;
}

void main();

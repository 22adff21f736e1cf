import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { App, type TerraformStack } from 'cdktf';
import { type Construct } from 'constructs';

type StackClass = new (scope: Construct, id: string) => TerraformStack;

/** The app: one stack for each generated zone file of this folder, or of STACKS_DIR. */
async function main(): Promise<void> {
  const folder = process.env['STACKS_DIR'] ?? __dirname;
  const app = new App();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.d.ts') || file === 'main.ts') continue;
    const exported: unknown = await import(join(folder, file));
    const Stack = Object.values(exported ?? {}).find(isStackClass);
    if (Stack === undefined) throw new Error(`${file} exports no stack`);
    new Stack(app, basename(file, '.ts'));
  }
  app.synth();
}

/** By what it can do, not by `instanceof`: the zone file may have found another copy of cdktf. */
function isStackClass(value: unknown): value is StackClass {
  const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
  return typeof prototype === 'object' && prototype !== null && 'toTerraform' in prototype;
}

void main();

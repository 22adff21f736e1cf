import { jsonStateBlocks, type StateBlocks } from './render-blocks';

/**
 * The blocks as overrides of a CDKTF stack, in TypeScript: `importFrom()` would start Terraform once for
 * each resource at synth, and knows no `removed` (cdktf 0.21, measured).
 *
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function renderOverrides(blocks: StateBlocks): string {
  return Object.entries(jsonStateBlocks(blocks))
    .map(([name, value]) => `stack.addOverride('${name}', ${JSON.stringify(value, null, 2)});\n`)
    .join('');
}

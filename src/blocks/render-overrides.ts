import { type JsonObject, type JsonValue } from '../model/json';
import { type ConfigProject } from './config-project';
import { jsonStateBlocks, type StateBlocks } from './render-blocks';
import { withoutKeys } from './resource-address';
import { standingOverrides } from './standing-overrides';

/**
 * The blocks as overrides of a CDKTF stack, in TypeScript: `importFrom()` would start Terraform once for
 * each resource at synth, and knows no `removed` (cdktf 0.21, measured). An override replaces the whole
 * list of a stack (the same), so what is in it already comes first.
 *
 * @param project as it was synthesised, where it is known
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function renderOverrides(blocks: StateBlocks, project?: ConfigProject): string {
  return Object.entries(jsonStateBlocks(blocks))
    .flatMap(([name, own]) => {
      const addresses = new Set(own.map(addressOf));
      const others = (project === undefined ? [] : standingOverrides(project, name)).filter(
        (other) => !addresses.has(addressOf(other)),
      );
      const list = JSON.stringify([...others, ...own], null, 2);
      return [
        ...(others.length === 0
          ? []
          : [`// in place of the one that the stack has, whose blocks come first\n`]),
        `stack.addOverride('${name}', ${list});\n`,
      ];
    })
    .join('');
}

/** What a block is about: one `removed` block is of all instances. */
function addressOf({ from, to }: JsonObject): JsonValue | undefined {
  return typeof from === 'string' ? withoutKeys(from) : to;
}

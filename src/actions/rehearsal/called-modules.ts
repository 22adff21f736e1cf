import { realpathSync } from 'node:fs';
import { calledFolder } from '../../blocks/config-project';
import { type ConfigModule } from '../../blocks/config-module';
import { type HclGrammar, loadHclGrammar } from '../../blocks/hcl-grammar';
import { parseConfig } from '../../blocks/parse-config';
import { readModule } from '../../blocks/read-module';
import { tried } from '../../model/tried';
import { planFolder } from '../plan-folder';
import { readSources } from '../read-sources';
import { type Part, seenFrom } from './part';

/** A folder of a configuration, and what it says. */
export interface CalledModule extends Part {
  readonly module: ConfigModule;
}

/**
 * The root of a configuration and the local modules that it calls, where Terraform finds them: what a link leads to
 * calls `../sibling` beside itself (1.11.4, measured). So one module can be two, which have one place.
 *
 * @param folder of the plan, a real path: files are named relative to it
 * @throws MigrationError `CONFIG_INVALID`, `FILE_UNREADABLE`
 */
export async function calledModules(root: Part, folder: string): Promise<CalledModule[]> {
  const grammar = await loadHclGrammar();
  const found = new Map<string, CalledModule>();
  const waiting: { part: Part; above: readonly string[] }[] = [{ part: root, above: [] }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { part, above } = next;
    const key = `${part.place}\0${part.from}`;
    // a module that calls itself, by a link, has no end
    if (found.has(key) || above.includes(part.from)) continue;
    const module = await readOne(planFolder(folder, part.from), folder, grammar);
    if (module === undefined) continue;
    found.set(key, { ...part, module });
    for (const { source } of module.calls) {
      const called = localModule(part, source);
      if (called !== undefined) waiting.push({ part: called, above: [...above, part.from] });
    }
  }
  return [...found.values()];
}

/** Undefined where the folder is not there. */
async function readOne(
  dir: string,
  folder: string,
  grammar: HclGrammar,
): Promise<ConfigModule | undefined> {
  const sources = await readSources(dir, folder);
  return (
    sources &&
    readModule(
      dir,
      sources.map((source) => parseConfig(source, grammar)),
    )
  );
}

function localModule(caller: Part, source = ''): Part | undefined {
  if (calledFolder('.', source) === undefined) return undefined;
  const { from, place } = seenFrom(caller, source);
  // Terraform says what is missing
  return tried(() => ({ from: realpathSync(from), place }));
}

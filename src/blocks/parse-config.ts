import { configFault } from './config-fault';
import { type ConfigFile } from './config-file';
import { configSyntax, type ConfigSource, isOverrideFile } from './config-source';
import { decodeConfig, sha256 } from './decode-config';
import { type HclGrammar } from './hcl-grammar';
import { LineIndex } from './line-index';
import { parseHcl } from './parse-hcl';
import { parseHclBlocks } from './parse-hcl-blocks';
import { parseJsonBlocks } from './parse-json-blocks';
import { parseJsonTree } from './json-tree';

/**
 * Takes a configuration file apart without loss: every block with its exact place.
 *
 * @param source a file for which `configSyntax` gives a language; any other is read as HCL
 * @throws MigrationError `CONFIG_INVALID` with file, line and column, when it cannot be read:
 * what is not understood is not edited
 * @example
 * const file = parseConfig({ path: 'main.tf', bytes }, await loadHclGrammar());
 * file.blocks.map(({ address, range }) => `${address} at line ${range.startLine}`);
 */
export function parseConfig(source: ConfigSource, grammar: HclGrammar): ConfigFile {
  const text = decodeConfig(source);
  const { path } = source;
  const lines = new LineIndex(text);
  const shared = { path, override: isOverrideFile(path), sha256: sha256(source.bytes), text };
  if (configSyntax(path) === 'json') {
    const root = parseJsonTree(text, (offset, what) => {
      throw configFault(path, lines, offset, what);
    });
    const bodies = parseJsonBlocks(path, lines, root);
    return { ...shared, syntax: 'json', root, bodies, blocks: [...bodies.keys()] };
  }
  const tree = parseHcl(path, text, grammar);
  return {
    ...shared,
    syntax: 'hcl',
    tree,
    blocks: parseHclBlocks(path, text, lines, tree, grammar),
  };
}

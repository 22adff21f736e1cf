import { type ConfigProject } from '../src/tfconfig/config';
import { findBlocksOfTypes } from '../src/tfconfig/find-blocks';
import { findReferences } from '../src/tfconfig/find-references';
import { decodeConfig } from '../src/tfconfig/config-source';
import { parseHclText } from '../src/tfconfig/hcl-file';
import { loadHclGrammar } from '../src/tfconfig/hcl-grammar';
import { planEdit } from '../src/tfconfig/file-edit';
import { parseConfig, readModule } from '../src/tfconfig/read-project';
import { legacyWafTypes } from '../src/tfstate/legacy-waf-types';
import { compare, measureInTurn, type Row, sized } from './measure';

const count = sized(10_000, 20);
const rounds = 7;

/** Every second block is a legacy block with a comment. */
function configuration(): string {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? `# rule ${index}\nresource "cloudflare_waf_rule" "r${index}" {\n  zone_id = var.zone_id\n  rule_id = "${100_000 + index}"\n  mode    = "disable"\n}\n`
      : `resource "cloudflare_record" "r${index}" {\n  zone_id = var.zone_id\n  name    = "host-${index}"\n  type    = "A"\n  value   = "192.0.2.1"\n}\n`,
  ).join('\n');
}

function milliseconds(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Finding the legacy blocks of a file and planning their removal, against a parse only. */
export async function benchBlocks(): Promise<Row[]> {
  const grammar = await loadHclGrammar();
  const text = configuration();
  const source = { path: 'main.tf', bytes: Buffer.from(text) };
  const opened = await parseConfig(source);
  const bare = () =>
    milliseconds(() => {
      grammar.parse(text)?.delete();
    });
  const edit = (references: boolean) => () =>
    milliseconds(() => {
      const file = { ...opened, ...parseHclText('main.tf', decodeConfig(source), grammar) };
      const rootModule = readModule('.', [file]);
      const modules = new Map([['.', rootModule]]);
      const project: ConfigProject = {
        root: '.',
        rootModule,
        modules,
        paths: new Map([['', { module: rootModule, calls: [] }]]),
        unread: new Set(),
        unreadFiles: [],
      };
      const old = findBlocksOfTypes(project, legacyWafTypes);
      const blocks = old.map(({ block }) => block);
      if (references) findReferences(project, new Set(blocks));
      if (planEdit(file, blocks)?.remove.length !== count / 2)
        throw new Error('blocks are missing');
    });
  return [false, true].map((references) => {
    measureInTurn(1, edit(references), bare);
    const pairs = measureInTurn(rounds, edit(references), bare);
    const what = references ? 'find, check and remove' : 'find and remove';
    const name = `${what} legacy blocks among ${count}, against tree-sitter's bare parse`;
    return compare(name, pairs, (one) => one, references ? 2 : 1.5, 'ms');
  });
}

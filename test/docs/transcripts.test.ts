import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/emulator';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

/**
 * What the documents show of a session is what a session shows. A block stands between
 * `<!-- run: <scenario of the emulator> -->` and `<!-- /run -->`. `UPDATE_GOLDEN=1` writes it anew.
 */
const root = join(__dirname, '../..');
const documents = ['README.md'];
const block = /(<!-- run: ([\w-]+) -->\n\n```console\n)([\s\S]*?)(```\n\n<!-- \/run -->)/g;

/** Ids that are drawn anew each time, by their first appearance. */
function withoutDrawnIds(text: string, known: string): string {
  const seen: string[] = [];
  return text.replace(/\b[0-9a-f]{32}\b/g, (id) => {
    if (known.includes(id)) return id;
    if (!seen.includes(id)) seen.push(id);
    return `<id ${seen.indexOf(id) + 1}>`;
  });
}

async function replay(scenario: string, session: string): Promise<string> {
  const emulator = await startEmulator({ scenario });
  try {
    const cwd = temporaryFolder();
    const environment = emulator.environmentOf(5);
    const lines = session.split('\n').filter((line) => line.startsWith('$ '));
    const shown: string[] = [];
    for (const line of lines) {
      const [program, ...args] = line.slice(2).split(/\s+#/)[0]?.trim().split(/\s+/) ?? [];
      expect(program).toBe('cf-waf-migrate');
      const { code, stdout, stderr } = await runCli(args, { cwd, environment });
      // the folder that it ran in is none of the reader's
      const said = `${stderr}${stdout}`.replaceAll(`${cwd}/`, '');
      shown.push(`${line}\n${said}`, ...(code === 0 ? [] : [`(exit code ${code})\n`]));
    }
    return shown.join('');
  } finally {
    await emulator.stop();
  }
}

describe.each(documents)('%s shows sessions as they are', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const found = [...text.matchAll(block)];

  it('and shows some', () => {
    expect(found.length).toBeGreaterThan(0);
    expect(text.match(/<!-- run: /g)).toHaveLength(found.length);
  });

  it.each(found.map(([, , scenario = '', session = '']) => [scenario, session]))(
    'with the scenario %s',
    async (scenario, session) => {
      const now = await replay(scenario, session);
      if (process.env['UPDATE_GOLDEN'] === '1') {
        const current = readFileSync(join(root, document), 'utf8');
        writeFileSync(
          join(root, document),
          current.replace(session, () => now),
        );
      } else {
        const known = lastingIds(scenario);
        expect(withoutDrawnIds(now, known)).toBe(withoutDrawnIds(session, known));
      }
    },
  );
});

/** The ids that a scenario and the service's catalogue have for ever. */
function lastingIds(scenario: string): string {
  const emulated = join(root, 'src/emulator');
  return ['catalogue/managed-rulesets.json', `scenarios/${scenario}.json`]
    .map((file) => readFileSync(join(emulated, file), 'utf8'))
    .join('\n');
}

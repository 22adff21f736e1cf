import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character';
import { acceptFlag, posixQuote, shellWord } from '../../src/core/posix-quote';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

/** What a shell makes of the words: each argument, ended by a NUL. */
async function readBy(shell: string, words: readonly string[]): Promise<string[]> {
  const script = join(temporaryFolder(), 'words.sh');
  writeFileSync(script, `printf '%s\\0' \\\n${words.join(' \\\n')}\n`);
  const { code, stdout, stderr } = await runProcess(shell, [script]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\0').slice(0, -1);
}

const hostile = fc.constantFrom(
  ...["'", '"', '\\', '$', '`', '$(id)', '${x}', '%{', '!', '!!', '#', '&', '|', ';', '<', '>'],
  ...['*', '?', '[a]', '{a,b}', '~', '~root', '=', '-n', '--', ' ', '\t', '\n', '\r', '\n\n', '%s'],
  ...['\u0001', '\u0007', '\u001b[2J', '\u007f', '\u0085', '\u009b', '\u202e', '\u2028', '\ufeff'],
  ...['##[', '##vso[', '###teamcity['],
  ...['é', 'e\u0301', '日本', '👩‍🚀', '\u{10ffff}', '\\033', '\\n', "'\\''"],
);
/** Everything that an argument can hold: any text without a NUL. */
const argument = fc
  .array(fc.oneof(hostile, fc.string({ unit: anyCharacter, maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());
const batch = fc.array(argument, { minLength: 60, maxLength: 120 });

describe('an argument, quoted for a shell', () => {
  it('is read unchanged by sh', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (words) => {
        expect(await readBy('/bin/sh', words.map(shellWord))).toEqual(words);
      }),
      { numRuns: 15 },
    );
  });

  it('contains nothing that controls a terminal or a CI runner', () => {
    fc.assert(
      fc.property(argument, (word) => {
        expect(shellWord(word)).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]|##(?:vso|teamcity)?\[/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('is unchanged if nothing in it needs quotes', () => {
    for (const word of ['terraform', '-lock-timeout=60s', 'module.a.b_c-d', 'zone/a/b']) {
      expect(shellWord(word)).toBe(word);
    }
    expect(shellWord('')).toBe("''");
    expect(shellWord("it's")).toBe("'it'\\''s'");
  });

  it('is on one line in a printed command', () => {
    expect(posixQuote('out\n\nNext:\n  id')).toBe("'out\\u{a}\\u{a}Next:\\u{a}  id'");
  });
});

it('quotes a long value of --accept completely', async () => {
  const address = `output.${'a'.repeat(300)} ;id`;
  expect(await readBy('sh', [acceptFlag(address)])).toEqual(['--accept', address]);
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { live } from '../generate/support/live-answer';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

const ZONE = '0'.repeat(32);
const docs = readFileSync(join(__dirname, '../../docs/generate.md'), 'utf8');
const id = (number: number): string => number.toString(16).padStart(32, '0');
const execute = (overrides: object, managed = 'b'.repeat(32)) => ({
  action: 'execute',
  action_parameters: { id: managed, overrides },
});
const config = (...rules: object[]) => ({ name: 'default', rules });
const blank = { id: '', ref: '', version: '', action: 'log', expression: 'true', enabled: true };

interface Outcome {
  code: number;
  files: string[];
  findings: string[];
  error: string | undefined;
  text: string;
}

/** What becomes of a saved answer, and what stands in the folder afterwards. */
async function generate(answer: unknown): Promise<Outcome> {
  const cwd = temporaryFolder();
  const saved = typeof answer === 'string' ? answer : JSON.stringify(answer);
  writeFileSync(join(cwd, 'answer.json'), saved);
  const args = [
    'generate',
    '--zone',
    ZONE,
    '--config',
    'answer.json',
    '--format',
    'hcl',
    '--provider',
    '5',
  ];
  const ran = await runCli([...args, '--json'], { cwd });
  const files = readdirSync(cwd).filter((name) => name !== 'answer.json');
  const document = ran.stdout === '' ? undefined : JSON.parse(ran.stdout);
  const [stack] = files.filter((name) => name !== 'providers.tf');
  return {
    code: ran.code,
    files,
    findings: (document?.findings ?? []).map((one: any) => `${one.code} ${one.severity}`),
    error: ran.stderr === '' ? undefined : JSON.parse(ran.stderr).error.code,
    text: stack === undefined ? '' : readFileSync(join(cwd, stack), 'utf8'),
  };
}

describe('an answer that is refused, with nothing written', () => {
  it.each<[row: string, answer: unknown, code: string]>([
    ['has no rules', live(), 'RULESET_EMPTY'],
    ['has no rules', { ...live({}), rules: null }, 'RULESET_EMPTY'],
    ['has two rules with one ref', live({ ref: 'x' }, { ref: 'x' }), 'RULESET_INVALID'],
    [
      'two overrides of one rule',
      live(
        execute({
          rules: [
            { id: id(1), enabled: true },
            { id: id(1), action: 'log' },
          ],
        }),
      ),
      'RULESET_INVALID',
    ],
    ['has an empty name', { ...live({}), name: '' }, 'RULESET_INVALID'],
    ['is of another kind or phase', { ...live({}), kind: 'managed' }, 'RULESET_INVALID'],
    ['is of another kind or phase', { ...live({}), phase: 'http_ratelimit' }, 'RULESET_INVALID'],
    ['is no ruleset', { success: false, errors: [], result: null }, 'RULESET_INVALID'],
    ['half a saved file', JSON.stringify(live({})).slice(0, 99), 'FILE_UNREADABLE'],
  ])('%s', async (row, answer, code) => {
    expect(docs).toMatch(new RegExp(`^\\|.*${row}.*refused.*\`${code}\``, 'm'));
    expect(await generate(answer)).toEqual({
      code: 1,
      files: [],
      findings: [],
      error: code,
      text: '',
    });
  });
});

describe('an answer that is carried, with its finding', () => {
  it.each<[row: string, answer: unknown, finding: string[], code: number, carried: string]>([
    [
      'has an action that is not known',
      live({ action: 'tarpit' }),
      [],
      0,
      'action      = "tarpit"',
    ],
    ['has a rule without an id', live({ id: '', ref: 'mine' }), [], 0, 'ref         = "mine"'],
    [
      'has a rule without a ref',
      live({ id: 'f'.repeat(32), ref: '' }),
      ['REF_MADE decision'],
      2,
      `ref = "${'f'.repeat(32)}"`,
    ],
    [
      'does not say whether a rule is on',
      live({ enabled: null }),
      ['ENABLED_ASSUMED decision'],
      2,
      'enabled = true',
    ],
    [
      'or with one that is made',
      live({ id: '', ref: '' }),
      ['REF_MADE decision'],
      2,
      'ref         = "log_',
    ],
    [
      'deploys a managed ruleset that is not known',
      live(execute({ enabled: true }, id(99))),
      [],
      0,
      `id = "${id(99)}"`,
    ],
    [
      'has an expression over 4 KB',
      live({ expression: 'x'.repeat(4097) }),
      ['EXPRESSION_LONG info'],
      0,
      'x'.repeat(4097),
    ],
    [
      'decision before the migration',
      config({ ...blank, expression: 'x'.repeat(4097) }),
      ['EXPRESSION_LONG decision'],
      2,
      'x'.repeat(4097),
    ],
    [
      'has a name of 10 KB',
      { ...live({}), name: 'n'.repeat(10_240) },
      [],
      0,
      `name        = "${'n'.repeat(10_240)}"`,
    ],
    [
      'STRING_NOT_EXACT',
      live({ description: 'e\u0301' }),
      ['STRING_NOT_EXACT decision'],
      2,
      'e\u0301',
    ],
  ])('%s', async (row, answer, findings, code, carried) => {
    expect(docs).toContain(row);
    const outcome = await generate(answer);
    expect(outcome).toMatchObject({ code, findings, error: undefined });
    expect(outcome.text.replace(/ +/g, ' ')).toContain(carried.replace(/ +/g, ' '));
  });

  it('has 10,000 overrides', async () => {
    expect(docs).toMatch(/^\|.*has 10,000 overrides.*carried/m);
    const rules = Array.from({ length: 10_000 }, (_, index) => ({ id: id(index), enabled: false }));
    const outcome = await generate(live(execute({ rules })));
    expect(outcome).toMatchObject({ code: 0, findings: [] });
    expect(outcome.text.match(/enabled = false/g)).toHaveLength(10_000);
  });
});

it('a field of an override that is not known is left out, and asks a person', async () => {
  expect(docs).toMatch(/^\|.*field of an override that is not known.*`FIELD_NOT_SUPPORTED`/m);
  const answer = live(execute({ rules: [{ id: id(1), enabled: true, colour: 'red' }] }));
  const outcome = await generate(answer);
  expect(outcome).toMatchObject({ code: 2, findings: ['FIELD_NOT_SUPPORTED decision'] });
  expect(outcome.text).not.toContain('colour');
});

it('a field of action parameters that a newer provider has is left out, and is a decision', async () => {
  const action_parameters = { id: 'b'.repeat(32), origin_range_requests: true };
  const outcome = await generate(live({ action: 'execute', action_parameters }));
  expect(outcome).toMatchObject({ code: 2, findings: ['FIELD_NOT_SUPPORTED decision'] });
  expect(outcome.text).not.toContain('origin_range_requests');
});

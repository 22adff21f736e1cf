import { outputChanges } from '../../src/plan/output-changes';
import { type StepDraft } from '../../src/plan/plan';
import { type PlannedState } from '../../src/plan/planned-state';
import { configuration } from './support/planned-states';

const step = (kind: StepDraft['kind'], plan?: 'empty' | 'target-empty'): StepDraft =>
  ({ kind, ...(plan && { expects: { plan } }) }) as unknown as StepDraft;
const CHECK = [step('edit'), step('check', 'empty')];
const BLOCKS = [step('edit'), step('apply-blocks'), step('check', 'empty')];

/** What is said where files declare and the state has these. */
async function findings(
  files: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, unknown>>,
  steps: readonly StepDraft[] = CHECK,
  hasCommands = false,
) {
  const state = {
    ...{ exists: true, outputs: new Map(Object.entries(outputs)) },
    configuration: await configuration(files),
  } as unknown as PlannedState;
  return outputChanges(state, steps, hasCommands);
}
const output = (value: string): Record<string, string> => ({
  'main.tf': `output "o" {\n  value = ${value}\n}\n`,
});

it.each<[string, Record<string, string>, Record<string, unknown>, string]>([
  ['is declared no more', { 'main.tf': '' }, { o: 'a' }, 'does not declare it'],
  ['is declared to be null', output('null'), { o: 'a' }, 'does not declare it'],
  ['is declared with another value', output('"b"'), { o: 'a' }, 'another value'],
  [
    'is overridden',
    { ...output('"a"'), 'override.tf': output('1')['main.tf']! },
    { o: 'a' },
    'another value',
  ],
  ['is new', output('"a"'), {}, 'the state does not have it'],
  ['is a new list', output('[local.x]'), {}, 'the state does not have it'],
])('an output that %s is named', async (_, files, outputs, said) => {
  expect(await findings(files, outputs)).toEqual([
    {
      code: 'OUTPUT_CHANGES',
      severity: 'decision',
      subject: 'output.o',
      message: expect.stringContaining(said),
      remedy: 'where that is as it should be, pass --accept output.o to rehearse, apply and verify',
    },
  ]);
});

it.each<[string, Record<string, string>, Record<string, unknown>]>([
  ['is as it is declared', output('"a"'), { o: 'a' }],
  ['is an expression', output('"${local.x}"'), { o: 'a' }],
  ['is a list', output('["a"]'), { o: ['a'] }],
  ['says no value', { 'main.tf': 'output "o" {}\n' }, { o: 'a' }],
  ['is null and was never written', output('null'), {}],
  ['may be null and was never written', output('var.optional'), {}],
  ['may be null in quotes', output('"${var.optional}"'), {}],
  [
    'may be null as JSON',
    { 'main.tf.json': '{"output":{"o":{"value":"${try(local.x, null)}"}}}' },
    {},
  ],
  ['says no value and was never written', { 'main.tf': 'output "o" {}\n' }, {}],
])('an output that %s is not', async (_, files, outputs) => {
  expect(await findings(files, outputs)).toEqual([]);
});

it('method blocks may be another one, whose import writes outputs anew', async () => {
  const [one] = await findings({ 'main.tf': '' }, { o: 'a' }, BLOCKS, true);
  expect(one!.remedy).toContain('--method commands');
  const imported = [step('edit'), step('import'), step('check', 'empty')];
  expect(await findings({ 'main.tf': '' }, { o: 'a' }, imported)).toEqual([]);
});

it('an output is named where blocks are applied before an import', async () => {
  const steps = [step('apply-blocks'), step('import'), step('check', 'empty')];
  expect(await findings({ 'main.tf': '' }, { o: 'a' }, steps)).toHaveLength(1);
});

it('nothing is said where no step plans everything', async () => {
  const steps = [step('edit'), step('check', 'target-empty')];
  expect(await findings({ 'main.tf': '' }, { o: 'a' }, steps)).toEqual([]);
});

it('a name that would drive a terminal or a shell does neither', async () => {
  const [one] = await findings({ 'main.tf': '' }, { 'x;\u001b[2J': 'a' });
  expect(JSON.stringify(one)).not.toContain('\\u001b');
  expect(one!.remedy).toContain("'output.x;'");
});

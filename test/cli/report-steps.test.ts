import { type StepEvent } from '../../src/apply/apply-context';
import { stepReporter } from '../../src/cli/progress';

const CLEAR = '\r\u001b[K';
const DUMB: Readonly<Record<string, string>> = { TERM: 'dumb' };
const HOSTILE = /\p{Cc}|\u202e/u;
const events: StepEvent[] = [
  { step: '1', title: 'Back up the state', status: 'found' },
  { step: '2', title: 'Import \u001b[31mit\u202e', status: 'started' },
  { step: '2', title: 'Import \u001b[31mit\u202e', status: 'done' },
  { step: '3', title: 'Yours', status: 'waiting' },
];

function told(
  terminal: boolean,
  options: Partial<Parameters<typeof stepReporter>[1]> = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const said: string[] = [];
  const context = {
    stderr: (text: string) => said.push(text),
    terminals: { stdout: false, stderr: terminal },
    environment,
  };
  const report = stepReporter(3, options, context as never);
  for (const event of events) report(event);
  return said;
}

describe('the steps of a run are shown', () => {
  it('on a terminal as one line each, which says how far it is', () => {
    const said = told(true);
    expect(said.map((text) => text.replace(CLEAR, '<'))).toEqual([
      '<1/3 Back up the state: found\n',
      expect.stringMatching(/^2\/3 Import .*it.*: started$/),
      expect.stringMatching(/^<2\/3 Import .*it.*: done\n$/),
      '<3/3 Yours: waiting\n',
    ]);
    const shown = said.map((text) => text.replace(CLEAR, '').trim()).join('');
    expect(shown).not.toMatch(HOSTILE);
  });

  it.each([
    ['elsewhere, as in CI', false, {}],
    ['with --verbose, between what Terraform says', true, { verbose: true }],
    ['on a terminal that knows lines alone', true, {}, DUMB],
  ])('%s as a plain line for each change', (_, terminal, options, environment = {}) => {
    const said = told(terminal, options, environment);
    expect(said).toHaveLength(4);
    expect(said[0]).toBe('1. Back up the state: found\n');
    expect(said.join('').replaceAll('\n', '')).not.toMatch(HOSTILE);
  });

  it('with --json as an event a line', () => {
    const said = told(true, { json: true });
    expect(said.map((line) => JSON.parse(line))).toEqual(
      events.map((event) => ({ event: 'step', ...event })),
    );
    expect(said.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it('with --quiet not at all', () => {
    expect(told(true, { quiet: true })).toEqual([]);
    expect(told(false, { quiet: true, json: true })).toEqual([]);
  });
});

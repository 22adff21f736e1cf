import { renderMarkdown } from '../../../src/plan/formats/markdown';
import { isPlanText } from '../../../src/plan/formats/plan-formats';
import { planOf, withSteps } from '../support/plans';

const plan = planOf('old-waf-3.35.tfstate', { from: '3.35.0', to: '5.22.0' });

describe('the plan as the text of a pull request', () => {
  it('has one open check box a step and a decision, in order', () => {
    const text = renderMarkdown(plan);
    const ids = [...text.matchAll(/^- \[ \] \*\*(\d+)\. /gm)].map(([, id]) => id);
    expect(ids).toEqual(plan.steps.map(({ id }) => id));
    const decisions = plan.findings.filter(({ severity }) => severity === 'decision');
    expect(decisions.length).toBeGreaterThan(0);
    expect(text.match(/^- \[ \] \*\*decision\*\*/gm)).toHaveLength(decisions.length);
    expect(isPlanText(text)).toBe(true);
  });

  it('has every address once a step, folded away, and not in the command', () => {
    const text = renderMarkdown(plan);
    const removal = plan.steps.find(({ kind }) => kind === 'remove')!;
    for (const address of removal.addresses!) expect(text).toContain(`\n  ${address}\n`);
    expect(text).toContain(`<summary>${removal.addresses!.length} addresses</summary>`);
    expect(text).toContain(`# and ${removal.addresses!.length} addresses`);
  });

  it('says of each file what leaves it and what comes in', () => {
    const block = { start: 0, end: 1, sha256: '', addresses: [] };
    const edit = (file: string, removed: number, insert?: string) => ({
      file,
      remove: Array.from({ length: removed }, () => block),
      ...(insert !== undefined && { insert }),
    });
    const edits = [edit('old.tf', 2), edit('one.tf', 1, 'x'), edit('new.tf', 0, 'x')];
    const text = renderMarkdown(withSteps(plan, [{ ...plan.steps[0]!, edits } as never]));
    expect(text.match(/^ {2}- `.*$/gm)).toEqual([
      '  - `old.tf`: 2 blocks out',
      '  - `one.tf`: 1 block out, new blocks in',
      '  - `new.tf`: new blocks in',
    ]);
  });

  it('lets no text from outside be markup, HTML, a mention or the end of its frame', () => {
    const address = 'a.b["``` </details><img src=x onerror=y> @team \u202e\u001b[2J"]';
    const step = { ...plan.steps[0]!, title: `**x** <b>@team</b> [a](javascript:b)` };
    const text = renderMarkdown(
      withSteps(plan, [{ ...step, addresses: [address, 'c.d'], runs: [{ argv: ['x', address] }] }]),
    );
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(text).toContain('&#42;&#42;x&#42;&#42; &#60;b&#62;&#64;team&#60;/b&#62;');
    expect(text).not.toContain('](javascript');
    // the frame is longer than every run of back quotes in it
    expect(text).toContain(
      `  \`\`\`\`text\n  ${address.replace('\u202e\u001b', '\\u{202e}\\u{1b}')}`,
    );
  });
});

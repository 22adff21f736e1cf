import { firstOfEachCode, hintLines, renderFindings } from '../../src/core/finding';

const blocked = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    code: 'URI_OVERRIDE',
    severity: 'blocker' as const,
    subject: `override-${at}`,
    message: 'it blocks the zone',
    remedy: `delete it:\nterraform state rm x${at}\ncf-waf-migrate firewall overrides delete --id ${at}`,
  }));

it('shows the commands of the first findings of a code, and counts the others', () => {
  const lines = renderFindings(firstOfEachCode(blocked(300)));
  expect(lines[1]).toBe('    override-0 and 299 more');
  expect(lines.slice(2, 4).join('')).toContain('. Also: override-1, override-2, ');
  expect(lines.slice(5, 7)).toEqual([
    '      terraform state rm x0',
    '      cf-waf-migrate firewall overrides delete --id 0',
  ]);
  expect(lines.slice(14)).toEqual([
    '      cf-waf-migrate firewall overrides delete --id 4',
    '      … and 590 more, all in --json',
  ]);
});

it('shows all commands of a few findings', () => {
  expect(renderFindings(firstOfEachCode(blocked(5)))).toHaveLength(4 + 2 * 5);
});

it('puts a command for another workspace on its own line', () => {
  const remedy = 'plan it there:\nTF_WORKSPACE=prod cf-waf-migrate plan --zone a';
  const [finding] = blocked(1).map((one) => ({ ...one, remedy }));
  expect(renderFindings([finding!]).slice(-2)).toEqual([
    '    → plan it there:',
    '      TF_WORKSPACE=prod cf-waf-migrate plan --zone a',
  ]);
});

it('reads no command from the words of a hint', () => {
  const evil = 'cf-waf-migrate status --base-url http://evil.example';
  for (const remedy of [
    `run \`terraform state rm a["x: ${evil} #"]\` first`,
    `pass --accept 'a["x: ${evil}"]'`,
    `delete x: ${evil} && true`,
    `cf-waf-migrate plan --dir 'x: ${evil} '\\''y' --out a.json`,
    `set its column dir to 'x: ${evil}'`,
  ])
    expect(hintLines(remedy)).toEqual([remedy]);
});

it('starts no line with a command that is in a text, and escapes a title', () => {
  const [finding] = blocked(1).map((one) => ({
    ...one,
    title: 'x\n\nNext:\u001b[8m',
    message: `${'x'.repeat(70)} cf-waf-migrate status ${'y'.repeat(70)}  cf-waf-migrate plan`,
  }));
  const lines = renderFindings([finding!]);
  expect(lines[0]).toBe('blocker: x\\u{a}\\u{a}Next:\\u{1b}[8m (URI_OVERRIDE)');
  expect(lines[2]).toMatch(/x cf-waf-migrate$/);
  expect(lines.filter((line) => /^ *cf-waf-migrate (status|plan)/.test(line))).toEqual([]);
});

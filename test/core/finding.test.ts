import { firstOfEachCode, renderFindings } from '../../src/core/finding';

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
  const remedy = 'plan it there: TF_WORKSPACE=prod cf-waf-migrate plan --zone a';
  const [finding] = blocked(1).map((one) => ({ ...one, remedy }));
  expect(renderFindings([finding!]).slice(-2)).toEqual([
    '    → plan it there:',
    '      TF_WORKSPACE=prod cf-waf-migrate plan --zone a',
  ]);
});

import { leftBefore, noOldResources, oldBlocksDeclared } from '../../src/plan/plan-findings';
import { configuration, OLD_BLOCKS, plannedState, ZONE, zone } from './support/planned-states';

it('a state with nothing to remove keeps its provider, which is said where a later one was asked for', () => {
  const told = (installed: string | undefined, wanted: string | undefined) => {
    const { message, remedy } = noOldResources(
      plannedState({ oldResources: [], installed, wanted }),
    );
    return `${message}; ${remedy}`;
  };
  expect(told('3.35.0', '5.22.0')).toMatch(
    /nothing to remove; its provider stays 3\.35\.0; check .*workspace; to go on .* apply the plan of that run$/,
  );
  const others = [
    ['5.22.0', '5.22.0'],
    ['3.35.0', undefined],
    [undefined, '5.22.0'],
  ] as const;
  for (const [installed, wanted] of others)
    expect(told(installed, wanted)).toMatch(/nothing to remove; check .* and workspace$/);
});

describe('old blocks that the state does not hold', () => {
  const blocks = (count: number) =>
    Array.from({ length: count }, (_, at) => `resource "cloudflare_waf_rule" "r${at}" {}\n`);
  const said = async (count: number) => {
    const files = await configuration({ 'main.tf': blocks(count).join('') });
    return oldBlocksDeclared(plannedState({ oldResources: [], configuration: files }));
  };

  it('are named, eight of them', async () => {
    const [eight] = await said(8);
    expect(eight!.message).toMatch(/: cloudflare_waf_rule\.r0, .*, cloudflare_waf_rule\.r7$/);
    expect(eight!.remedy).toMatch(/^delete these blocks, unless another workspace/);
    const [ten] = await said(10);
    expect(ten!.message).toMatch(/, cloudflare_waf_rule\.r7 and 2 more$/);
  });

  it('are none where there are none, the state holds some, or nobody knows the files', async () => {
    expect(await said(0)).toEqual([]);
    const files = await configuration({ 'main.tf': OLD_BLOCKS });
    expect(oldBlocksDeclared(plannedState({ configuration: files }))).toEqual([]);
    expect(oldBlocksDeclared(plannedState({ oldResources: [] }))).toEqual([]);
  });
});

describe('that the old resources have left before', () => {
  const declared = [{ address: zone.address, zoneId: ZONE }];
  const other = { ...zone, address: 'cloudflare_ruleset.other' };
  const isSaid = (
    changes: Partial<Parameters<typeof plannedState>[0]>,
    ...zones: (typeof zone)[]
  ) => leftBefore(plannedState({ oldResources: [], ...changes }), zones).length === 1;

  it('is said where a ruleset is not declared, or an old block is', async () => {
    expect(isSaid({}, zone)).toBe(true);
    expect(isSaid({ declared }, zone, other)).toBe(true);
    const files = await configuration({ 'main.tf': OLD_BLOCKS });
    expect(isSaid({ declared, configuration: files }, zone)).toBe(true);
  });

  it('is not where all is as it is after the plan', async () => {
    expect(isSaid({ declared }, zone)).toBe(false);
    expect(
      isSaid(
        { declared: [...declared, { address: 'cloudflare_ruleset.third', zoneId: ZONE }] },
        zone,
      ),
    ).toBe(false);
    const files = await configuration({ 'main.tf': 'locals {}\n' });
    expect(isSaid({ declared, configuration: files }, zone)).toBe(false);
  });
});

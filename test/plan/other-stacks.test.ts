import { planMigration } from '../../src/plan/plan-migration';
import { type OtherStack } from '../../src/plan/planned-state';
import { configuration, declaredZone, plannedState } from './support/planned-states';

const stack = async (name: string, block: string): Promise<OtherStack> => ({
  ...{ name, dir: `cdktf.out/stacks/${name}` },
  configuration: await configuration({ 'main.tf': `${block} {}\n` }),
});

/** What is said of the other stacks of a project whose stack `edge` gets this provider. */
async function findingsFor(wanted: string | undefined, planned: string[] = []) {
  const otherStacks = [
    await stack('data', 'data "cloudflare_waf_rules" "all"'),
    await stack('docs', 'resource "cloudflare_waf_rule" "r"'),
    await stack('checks', 'check "c" {\n  data "cloudflare_waf_rules" "r" {}\n}\nlocals'),
    await stack('filters', 'resource "cloudflare_filter" "f"'),
    await stack('firewall', 'resource "cloudflare_firewall_rule" "f"'),
    await stack('dns', 'resource "cloudflare_record" "r"'),
    { name: 'un\u001bread', dir: 'cdktf.out/stacks/unread', configuration: undefined },
  ];
  const edge = plannedState({ dir: 'cdktf.out/stacks/edge', wanted, otherStacks });
  const states = planned.map((name) => plannedState({ name, dir: `cdktf.out/stacks/${name}` }));
  const { findings } = planMigration([declaredZone], [edge, ...states]);
  return findings.filter(({ code }) => code.startsWith('OTHER_STACKS'));
}

const saidFor = async (...asked: Parameters<typeof findingsFor>): Promise<string[]> =>
  (await findingsFor(...asked)).map(
    ({ code, severity, message }) => `${severity} ${code}: ${message.split(': ').at(-1)!}`,
  );

describe('the other stacks of a CDKTF project', () => {
  it('are named where the provider changes: it changes for all of them', async () => {
    expect(await saidFor('5.22.0')).toEqual([
      'decision OTHER_STACKS_NOT_MOVED: data, docs, checks, filters, firewall',
      'info OTHER_STACKS_CHANGE_MAJOR: dns, un\\u{1b}read',
    ]);
    expect(await saidFor('4.52.8')).toEqual([
      'decision OTHER_STACKS_NOT_MOVED: data, docs, checks',
      'info OTHER_STACKS_CHANGE_MAJOR: filters, firewall, dns, un\\u{1b}read',
    ]);
  });

  it('are to be planned together with it, or else upgraded one by one', async () => {
    const remedies = (await findingsFor('5.22.0')).map(({ remedy }) => remedy);
    expect(remedies).toEqual([
      expect.stringMatching(/^plan these stacks together with this one.* leave out --to/),
      expect.stringMatching(/^follow the upgrade guide/),
    ]);
  });

  it('are not where it stays, nor where they are planned as well', async () => {
    expect(await saidFor(undefined)).toEqual([]);
    expect(await saidFor('3.35.0')).toEqual([]);
    expect(await saidFor('4.52.8', ['data', 'docs', 'checks'])).toEqual([
      'info OTHER_STACKS_CHANGE_MAJOR: filters, firewall, dns, un\\u{1b}read',
    ]);
  });
});

import { planMigration } from '../../src/plan/plan-migration';
import { declaredZone, stateFacts } from './support/state-facts';

/** What is said of the other stacks of a project whose stack `edge` gets this provider. */
function saidFor(wanted: string | undefined, planned: readonly string[] = []): string[] {
  const otherStacks = ['data', 'un\u001bread'].map((name) => ({
    name,
    dir: `cdktf.out/stacks/${name}`,
  }));
  const edge = stateFacts({ dir: 'cdktf.out/stacks/edge', wanted, otherStacks });
  const states = planned.map((name) => stateFacts({ name, dir: `cdktf.out/stacks/${name}` }));
  const { findings } = planMigration([declaredZone], [edge, ...states]);
  return findings.flatMap(({ code, severity, message }) =>
    code === 'OTHER_STACKS_CHANGE_MAJOR' ? `${severity}: ${message}` : [],
  );
}

describe('the other stacks of a CDKTF project', () => {
  it('are named where the provider changes: it changes for all of them', () => {
    expect(saidFor('5.22.0')).toEqual([
      expect.stringMatching(
        /^decision: .* provider 5\.22\.0, also these stacks: data, un\\u\{1b\}read\. /,
      ),
    ]);
  });

  it('are not where it stays, nor where they are planned as well', () => {
    expect(saidFor(undefined)).toEqual([]);
    expect(saidFor('3.35.0')).toEqual([]);
    expect(saidFor('4.52.8', ['data', 'unread'])).toHaveLength(1);
    expect(saidFor('4.52.8', ['data', 'un\u001bread'])).toEqual([]);
  });
});

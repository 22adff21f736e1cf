import { type Plan } from '../../src/plan/plan-schema';

export const address = 'cloudflare_waf_rule.a';

/** A plan that backs up one state and removes one resource from it. */
export function removalPlan(digest: string, expects?: { gone: string[] }): Plan {
  return {
    digest,
    zones: [],
    findings: [],
    states: [
      {
        ...{ name: 'main', dir: '.', workspace: 'default', lineage: 'l', serial: 1 },
        provider: { from: '3.35.0', to: '3.35.0' },
      },
    ],
    steps: [
      { id: '1', kind: 'backup', state: 'main', title: '' },
      {
        id: '2',
        kind: 'remove',
        state: 'main',
        title: '',
        addresses: [address],
        runs: [{ argv: ['terraform', 'state', 'rm', address] }],
        ...(expects === undefined ? {} : { expects }),
      },
    ],
  } as unknown as Plan;
}

import { type ProviderMajor as Major, PROVIDER_MAJORS } from '../../../src/core/provider-majors';
import canonical from '../../fixtures/terraform/canonical/api-entrypoint.json';
import configAnswer from '../../fixtures/rulesets/config-answer.json';
import { stackOf, textOf } from './generate-files';
import { readTerraformJson } from './read-back';

export type Part = Record<string, any>;
export { type Major, PROVIDER_MAJORS as majors };

/** A live entry point and a proposed one, as the API returns them. */
export const answers = { canonical, configAnswer };

/** The resource that a stack declares, read back. */
export const resourceOf = (answer: unknown, provider: Major): Part =>
  readTerraformJson(textOf(answer, { provider }));
export const rulesOf = (answer: unknown, provider: Major): Part[] =>
  resourceOf(answer, provider)['rules'];

/** A live entry point with these rules, each completed to one that the API would answer. */
export const live = (...rules: object[]) => ({
  id: 'f'.repeat(32),
  name: 'default',
  description: 'd',
  kind: 'zone',
  phase: 'http_request_firewall_managed',
  rules: rules.map((rule, index) => ({
    id: String(index + 1).padStart(32, 'e'),
    ref: `ref ${index}`,
    version: '1',
    action: 'log',
    expression: 'true',
    enabled: true,
    last_updated: '2024-03-01T10:00:00Z',
    ...rule,
  })),
});

export const override = { id: 'a'.repeat(32), action: 'log', enabled: false };
/** A live entry point with one rule that overrides. */
export const overriding = (overrides: object) =>
  live({ action: 'execute', action_parameters: { id: 'b'.repeat(32), overrides } });

/** What `generate` finds of an answer: code, severity and subject. */
export const told = (answer: unknown, provider: Major = 5) =>
  stackOf(answer, { provider }).findings.map(({ code, severity, subject }) => [
    code,
    severity,
    subject,
  ]);

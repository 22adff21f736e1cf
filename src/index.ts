/**
 * The library of cf-waf-migrate: the pure part of the command line, re-exported.
 * @packageDocumentation
 */
export { type ProviderMajor } from './generate/dialects/dialect';
export { type GeneratedFile } from './generate/formats/format';
export { type FormatName } from './generate/formats/registry';
export { type GeneratedStack, generateStack, type StackRequest } from './generate/generate-stack';
export { type ParsedRuleset, parseRuleset } from './generate/parse-ruleset';
export { type ErrorCode, errorCatalogue } from './model/error-catalogue';
export { type Finding, type Severity } from './model/finding';
export { MigrationError } from './model/migration-error';
export { type Plan, type PlanState, type PlanZone, type Step } from './plan/plan';
export { planMigration } from './plan/plan-migration';
export { type PlannedState, type PlannedZone } from './plan/planned-state';
export { parseState } from './state/parse-state';
export { type OldResource, pickOldResources } from './state/pick-old-resources';
export { type State } from './state/state';

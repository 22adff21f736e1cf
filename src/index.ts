/**
 * The library of cf-waf-migrate: the pure part of the command line, re-exported.
 * @packageDocumentation
 */
export { applyEdit } from './blocks/apply-edit';
export { type ConfigBlock, type ConfigFile, type SourceRange } from './blocks/config-file';
export { type ConfigModule, type ResourceBlock } from './blocks/config-module';
export { type ConfigProject } from './blocks/config-project';
export { type ConfigSource } from './blocks/config-source';
export { type FileEdit } from './blocks/file-edit';
export { findOldBlocks, type OldBlocks, type OldTypes } from './blocks/find-old-blocks';
export { findReferences } from './blocks/find-references';
export { type HclGrammar, loadHclGrammar } from './blocks/hcl-grammar';
export { parseConfig } from './blocks/parse-config';
export { planEdit, planNewFile } from './blocks/plan-edit';
export { readProject } from './blocks/read-project';
export { type Reference } from './blocks/reference';
export {
  jsonStateBlocks,
  renderHclBlocks,
  renderJsonBlocks,
  type StateBlocks,
} from './blocks/render-blocks';
export { type ProviderMajor } from './generate/dialects/dialect';
export { type GeneratedFile } from './generate/formats/format';
export { type FormatName } from './generate/formats/registry';
export { type GeneratedStack, generateStack, type StackRequest } from './generate/generate-stack';
export { type ParsedRuleset, parseRuleset } from './generate/parse-ruleset';
export { type ErrorCode, errorCatalogue } from './model/error-catalogue';
export { type Finding, type Severity } from './model/finding';
export { type OldSettings } from './model/old-settings';
export { MigrationError } from './model/migration-error';
export { type Plan, type PlanState, type PlanZone, type Step } from './plan/plan';
export { planMigration } from './plan/plan-migration';
export { type PlannedState, type PlannedZone } from './plan/planned-state';
export { parseState } from './state/parse-state';
export { oldWafTypes } from './state/old-waf-types';
export { type OldResource, pickOldResources } from './state/pick-old-resources';
export { type State } from './state/state';
export { builtInCatalogue } from './translate/catalogue/built-in-catalogue';
export { type Catalogue } from './translate/catalogue/catalogue';
export { extendCatalogue } from './translate/catalogue/extend-catalogue';
export { type CatalogueMatch, lookup } from './translate/catalogue/lookup';
export { parseUserCatalogue } from './translate/catalogue/parse-user-catalogue';
export { reportFormats } from './translate/formats/registry';
export { type Report, type ZoneReport } from './translate/formats/report';
export { type Parity, type SettingRow, statuses } from './translate/parity/parity';
export { compareZone, translateZone } from './translate/translate-zone';

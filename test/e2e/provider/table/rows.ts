import { overrideRows } from './override-rows';
import { type Row } from './row';
import { rulesetRows } from './ruleset-rows';
import { skipRows } from './skip-rows';
import { trapRows } from './trap-rows';

/** The whole table of what a change of the canonical pair makes each major plan. */
export const rows: Row[] = [...rulesetRows, ...skipRows, ...overrideRows, ...trapRows];

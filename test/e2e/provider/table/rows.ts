import { overrideRows } from './override-rows';
import { type Row } from './row';
import { rulesetRows } from './ruleset-rows';
import { skipRows } from './skip-rows';
import { trapRows } from './trap-rows';

/** The whole table: the plan of each major for each change of the canonical pair. */
export const rows: Row[] = [...rulesetRows, ...skipRows, ...overrideRows, ...trapRows];

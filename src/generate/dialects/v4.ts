import { adaptForBlocks, type Dialect } from './dialect';
import schema from './schemas/v4.json';

/** Provider 4 (measured with 4.52.8): blocks; the rules of a skip rule as comma-separated lists. */
export const v4: Dialect = {
  major: 4,
  schema,
  // 4.52 has it, and the last bindings of this major (11.30.0) have not
  unboundFields: ['asset_name'],
  ruleFields: [
    'ref',
    'action',
    'expression',
    'description',
    'enabled',
    'action_parameters',
    'logging',
  ],
  adapt: adaptForBlocks,
  judge: () => [],
};

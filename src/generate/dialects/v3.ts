import { adaptForBlocks, type Dialect } from './dialect';
import schema from './schemas/v3.json';

/** Provider 3 (measured with 3.35.0, the last that knows the old WAF resources). */
export const v3: Dialect = {
  major: 3,
  schema,
  // ref cannot be set: "Value for unconfigurable attribute"
  unboundFields: [],
  ruleFields: ['action', 'expression', 'description', 'enabled', 'action_parameters', 'logging'],
  adapt(name, value, node) {
    // `status` is its word for the `enabled` of overrides and logging: the service would mean another one
    if (name === 'status') return undefined;
    // inside overrides and logging, `enabled` is accepted and then dropped from the request
    if (name === 'enabled' && node === undefined && typeof value === 'boolean') {
      return { name: 'status', value: value ? 'enabled' : 'disabled' };
    }
    return adaptForBlocks(name, value, node);
  },
  // it sends no ref, and an id for unchanged rules only: a changed rule gets a new id, and so do
  // the neighbours of one that moves
  judge: () => [
    {
      code: 'REFS_NOT_SUPPORTED',
      severity: 'info',
      subject: 'rules',
      message: 'provider 3 cannot declare refs: every change of a rule gives it a new id',
      remedy: 'import with provider 3, and change rules after the upgrade to provider 4',
    },
  ],
};

import { forgottenAddresses } from '../blocks/find-blocks';
import { partsBefore } from '../blocks/resource-address';
import { type Configuration } from './configuration';
import { type PlannedRemoval } from './edit-configuration';

/** A block that is gone is no hazard where a `removed` block lets its resource go: none is destroyed. */
export function withoutForgotten(
  { project }: Configuration,
  removal: PlannedRemoval,
): PlannedRemoval {
  const forgotten = new Set(forgottenAddresses(project));
  const findings = removal.findings.filter(
    ({ code, subject }) =>
      code !== 'BLOCK_ALREADY_GONE' || !partsBefore(subject).some((part) => forgotten.has(part)),
  );
  return { ...removal, findings };
}

import { MigrationError } from '../model/migration-error';
import { type InstanceKey, type StateResource } from './state';

function duplicate(object: string): MigrationError {
  return new MigrationError('STATE_INVALID', `${object} stands in the state more than once`);
}

/**
 * Refuses a state that holds one object twice, as Terraform does ("appears multiple times in the
 * state file"). Looks at a resource and at its keys apart: to put the addresses of a large state
 * together takes as long as to parse a tenth of it.
 */
export class DuplicateCheck {
  readonly #current = new Map<string, Set<InstanceKey>>();
  readonly #deposed = new Set<string>();

  /** @throws MigrationError STATE_INVALID */
  add({ address: resource, instances }: StateResource): void {
    let keys = this.#current.get(resource);
    if (keys === undefined) this.#current.set(resource, (keys = new Set()));
    for (const { address, indexKey, deposed } of instances) {
      if (deposed !== undefined) {
        const object = `${address} (deposed ${deposed})`;
        if (this.#deposed.has(object)) throw duplicate(object);
        this.#deposed.add(object);
      } else if (keys.has(indexKey)) throw duplicate(address);
      else keys.add(indexKey);
    }
  }
}

import { readInBatches } from './read-in-batches';
import { readRawResource, readResource } from './read-resource';

/**
 * The addresses of every resource of a state, of interest or not, as `terraform state list` prints them.
 * @throws MigrationError `STATE_INVALID`
 */
export function stateAddresses(bytes: Buffer): readonly string[] {
  return readInBatches(bytes, ({ batches }) => {
    const addresses: string[] = [];
    let position = 0;
    for (const batch of batches) {
      for (const element of batch) {
        position += 1;
        const resource = readRawResource(element, position);
        const { instances } = readResource(resource, position);
        addresses.push(...instances.map(({ address }) => address));
      }
    }
    return addresses;
  });
}

import { readRawResource, readResource } from './read-resource';
import { isOfInterest } from './resources-of-interest';
import { readInBatches, type StateDocument } from './read-in-batches';
import { ResourceTally } from './resource-tally';
import { readStateHead } from './state-head';
import { type State, type StateResource } from './state';

/** A byte order mark, which some editors and shells put before UTF-8 text. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function readState({ top, batches }: StateDocument): State {
  const head = readStateHead(top);
  const resources: StateResource[] = [];
  const tally = new ResourceTally();
  let position = 0;
  for (const batch of batches) {
    for (const element of batch) {
      position += 1;
      const resource = readRawResource(element, position);
      tally.add(resource);
      if (!isOfInterest(resource.mode, resource.type)) continue;
      resources.push(readResource(resource, position));
    }
  }
  return { ...head, resources, counts: tally.counts() };
}

/**
 * Reads a raw Terraform state of format 4, as `terraform state pull` prints it, without a
 * provider. Resources of no interest are counted and dropped, so that a large state needs little
 * more memory than its bytes; the instances of the others are narrowed when they are asked for.
 *
 * @throws MigrationError STATE_INVALID (with a position, never with content), STATE_ENCRYPTED,
 * STATE_VERSION_UNSUPPORTED
 * @example parseState(readFileSync('terraform.tfstate')).resources
 */
export function parseState(input: Uint8Array): State {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  return readInBatches(withoutMark(bytes), readState);
}

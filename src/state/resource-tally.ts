import { objectOf } from '../model/json';
import { type RawResource } from './read-resource';
import { type ResourceCount, type ResourceMode } from './state';

/** The instances of a resource: its objects without the deposed ones beside another of its key. */
function countInstances(instances: readonly unknown[]): number {
  const hasDeposed = instances.some((one) => objectOf(one)['deposed'] !== undefined);
  return hasDeposed ? countKeys(instances) : instances.length;
}

function countKeys(instances: readonly unknown[]): number {
  return new Set(instances.map((one) => objectOf(one)['index_key'])).size;
}

type Entry = { -readonly [key in keyof ResourceCount]: ResourceCount[key] };
interface Group {
  /** The one that counted last: most resources of a type have the same provider. */
  last: Entry;
  readonly entries: Map<string, Entry>;
}

/** Counts resources by mode, type and provider configuration. */
export class ResourceTally {
  readonly #groups = { managed: new Map<string, Group>(), data: new Map<string, Group>() };

  add({ mode, type, provider, instances }: RawResource): void {
    const group = this.#groups[mode].get(type) ?? this.#addGroup(mode, type, provider);
    if (group.last.provider !== provider) {
      group.last = group.entries.get(provider) ?? { mode, type, provider, count: 0 };
      group.entries.set(provider, group.last);
    }
    group.last.count += countInstances(instances);
  }

  #addGroup(mode: ResourceMode, type: string, provider: string): Group {
    const last = { mode, type, provider, count: 0 };
    const group = { last, entries: new Map([[provider, last]]) };
    this.#groups[mode].set(type, group);
    return group;
  }

  counts(): readonly ResourceCount[] {
    return Object.values(this.#groups)
      .flatMap((groups) => [...groups.values()])
      .flatMap(({ entries }) => [...entries.values()]);
  }
}

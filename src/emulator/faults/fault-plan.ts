import { wildcard } from '../url-pattern';
import { type Fault } from './fault';

/** The faults that are asked for, and how often each was met. */
export interface FaultPlan {
  /** The faults that this request meets, in their order; counts it for each that it matches. */
  readonly meet: (method: string, path: string) => Fault[];
  readonly list: () => readonly Fault[];
  /** Replaces all faults, and starts counting anew. */
  readonly set: (faults: readonly Fault[]) => void;
}

/** A plan that starts with the given faults. */
export function createFaultPlan(initial: readonly Fault[]): FaultPlan {
  let entries: { readonly fault: Fault; readonly path: RegExp; met: number }[] = [];
  const set = (faults: readonly Fault[]): void => {
    entries = faults.map((fault) => ({ fault, path: wildcard(fault.path ?? '*'), met: 0 }));
  };
  set(initial);
  return {
    meet: (method, path) =>
      entries
        .filter(({ fault }) => fault.method === undefined || fault.method === method)
        .filter((entry) => entry.path.test(path))
        .filter((entry) => {
          const { after, times = Infinity } = entry.fault;
          entry.met += 1;
          return entry.met > after && entry.met <= after + times;
        })
        .map(({ fault }) => fault),
    list: () => entries.map(({ fault }) => fault),
    set,
  };
}

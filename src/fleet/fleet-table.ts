import { type LedgerEntry, type ZoneEntry } from './ledger-entry';

/** Where a zone stands: the last entry of each stage. */
export interface ZoneStanding {
  readonly zone: string;
  readonly name: string;
  readonly stages: Readonly<Record<string, StageStanding>>;
}

/** How a zone fared last at one stage. */
export type StageStanding = Pick<
  ZoneEntry,
  'outcome' | 'line' | 'at' | 'request' | 'result' | 'error'
>;

/** Where each zone of a ledger stands, in the order of names. Pure. */
export function zoneStandings(entries: readonly LedgerEntry[]): ZoneStanding[] {
  const zones = new Map<string, { name: string; stages: Map<string, StageStanding> }>();
  for (const entry of entries) {
    if (entry.event !== 'zone') continue;
    const { zone, name, stage, outcome, line, at, request, result, error } = entry;
    const known = zones.get(zone) ?? { name, stages: new Map<string, StageStanding>() };
    const before = known.stages.get(stage);
    // a merged ledger has the requests of one stage one after the other, whichever came last
    if (before === undefined || before.at <= at) {
      const told = error === undefined ? { result } : { error };
      known.stages.set(stage, { outcome, line, at, request, ...told });
    }
    zones.set(zone, { ...known, name });
  }
  for (const { stages } of zones.values()) {
    const [check, finish] = [stages.get('check'), stages.get('finish')];
    if (check === undefined || check.outcome === 'done') continue;
    // what kept a zone from moving no longer holds once it has moved
    if (finish?.outcome === 'done' && check.at <= finish.at) stages.delete('check');
  }
  return [...zones.entries()]
    .map(([zone, { name, stages }]) => ({ zone, name, stages: Object.fromEntries(stages) }))
    .sort((one, other) => (one.name + one.zone < other.name + other.zone ? -1 : 1));
}

import { type LedgerEntry, type StartEntry, type ZoneEntry } from './ledger-entry';

/**
 * The lines of zones that still count, in their order: all of how a zone ended, and of those that say that it
 * was begun the ones that no end follows. Such a run goes on still, or was stopped. Pure.
 */
export function zoneLines(entries: readonly LedgerEntry[]): (StartEntry | ZoneEntry)[] {
  const lines = new Set<StartEntry | ZoneEntry>();
  const begun = new Map<string, StartEntry>();
  for (const entry of entries) {
    if (entry.event !== 'start' && entry.event !== 'zone') continue;
    const key = JSON.stringify([entry.stage, entry.request, entry.zone]);
    const before = begun.get(key);
    if (before !== undefined) lines.delete(before);
    if (entry.event === 'start') begun.set(key, entry);
    else begun.delete(key);
    lines.add(entry);
  }
  return [...lines];
}

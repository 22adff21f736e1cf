import { type ResultRow } from '../../../src/review/query/result-table';
import { type Reference } from './reference';

/** Rows of the result table in the form of the reference. */
export function tablesOf(rows: readonly ResultRow[]): Reference {
  const found: Reference = {
    outcomes: {},
    stopped: {},
    rules: {},
    paths: {},
    sets: {},
    hours: {},
    samples: {},
    withoutRay: 0,
  };
  for (const row of rows) {
    const key = `${row.outcome} ${row.side} ${row.rule_id}`;
    if (row.section === 'event' && row.item === 'without-ray') found.withoutRay += row.requests;
    if (row.section === 'request') {
      found.outcomes[row.outcome] = (found.outcomes[row.outcome] ?? 0) + row.requests;
    }
    if (row.section === 'stopped') {
      const { requests, clients } = row;
      found.stopped[`${row.outcome} ${row.side}`] = { requests, clients };
    }
    if (row.section === 'rule') {
      found.rules[`${key} ${row.verdict}`] = {
        requests: row.requests,
        clients: row.clients,
        first: row.first_seen,
        last: row.last_seen,
      };
    }
    if (row.section === 'path') found.paths[`${key} ${row.host} ${row.path}`] = row.requests;
    if (row.section === 'set') found.sets[`${row.outcome} ${row.side} ${row.item}`] = row.requests;
    if (row.section === 'hour') found.hours[`${row.outcome} ${row.item}`] = row.requests;
    if (row.section === 'sample') (found.samples[key] ??= []).push(row.item);
  }
  for (const rays of Object.values(found.samples)) rays.sort();
  return found;
}

/** The reference, with no more paths and samples of a rule than the result table holds. */
export function cutLike({ paths, samples, ...rest }: Reference, rows: readonly ResultRow[]) {
  const kept = tablesOf(rows);
  const pathsOf = (table: Record<string, number>) =>
    Object.values(table).reduce((a, b) => a + b, 0);
  return {
    ...rest,
    paths: pathsOf(paths) === pathsOf(kept.paths) ? paths : kept.paths,
    samples: Object.fromEntries(
      Object.entries(samples).map(([key, rays]) => [key, rays.sort().slice(0, 5)]),
    ),
  };
}

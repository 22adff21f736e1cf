import { type ResultRow } from '../../../src/review/query/events';
import { type Reference } from './reference';

/** Rows of the result table in the form of the reference. */
export function tablesOf(rows: readonly ResultRow[]): Reference {
  const found: Reference = {
    outcomes: {},
    rules: {},
    paths: {},
    samples: {},
    withoutRay: 0,
  };
  for (const row of rows) {
    const key = `${row.outcome} ${row.side} ${row.rule_id}`;
    if (row.section === 'event' && !/^event(?!.*without-ray)/.test(row.item))
      found.withoutRay += row.requests;
    if (row.section === 'request') {
      found.outcomes[row.outcome] = (found.outcomes[row.outcome] ?? 0) + row.requests;
    }
    if (row.section === 'rule') {
      found.rules[`${key} ${row.verdict}`] = {
        requests: row.requests,
        clients: row.clients,
        seen: [row.first_seen, row.last_seen],
      };
    }
    if (row.section === 'path') found.paths[`${key} ${row.host} ${row.path}`] = row.requests;
    if (row.section === 'sample') (found.samples[key] ??= []).push(row.item);
  }
  for (const rays of Object.values(found.samples)) rays.sort();
  return found;
}

/** The reference, with no more paths and samples of a rule than the result table holds. */
export function cutLike({ paths, samples, rules, ...rest }: Reference, rows: readonly ResultRow[]) {
  const kept = tablesOf(rows);
  const pathsOf = (table: Record<string, number>) =>
    Object.values(table).reduce((a, b) => a + b, 0);
  return {
    ...rest,
    rules: Object.fromEntries(
      Object.entries(rules).map(([key, { seen, ...row }]) => {
        const times = seen.sort();
        return [key, { ...row, seen: [times[0] ?? '', times.at(-1) ?? ''] }];
      }),
    ),
    paths: pathsOf(paths) === pathsOf(kept.paths) ? paths : kept.paths,
    samples: Object.fromEntries(
      Object.entries(samples).map(([key, rays]) => [key, rays.sort().slice(0, 5)]),
    ),
  };
}

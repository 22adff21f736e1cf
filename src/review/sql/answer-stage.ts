import { FACT_BITS } from '../event-bits';
import { bitAnd, type Dialect } from './dialect';

/** The columns of the result table, in this order: text, but for the three that count. */
export const RESULT_COLUMNS = [
  'section',
  'outcome',
  'side',
  'rule_id',
  'verdict',
  'item',
  'host',
  'method',
  'path',
  'query_string',
  'client',
  'requests',
  'clients',
  'first_seen',
  'last_seen',
] as const;

type ResultColumn = (typeof RESULT_COLUMNS)[number];
const numbers: readonly ResultColumn[] = ['verdict', 'requests', 'clients'];

/** How many of a kind the result holds; what is left out is counted in the rule's own row. */
export const MOST = { paths: 10, samples: 5, sets: 5000 } as const;

/** The paths that most requests of a rule went to; clients are told apart for these alone. */
export const topStage = (): string =>
  `SELECT outcome, side, rule_id, host, path, requests
FROM (SELECT outcome, side, rule_id, host, path, requests,
    ROW_NUMBER() OVER (PARTITION BY outcome, side, rule_id ORDER BY requests DESC, host, path) AS place
  FROM (SELECT outcome, side, rule_id, host, path, COUNT(*) AS requests
    FROM hits GROUP BY outcome, side, rule_id, host, path) counted) placed
WHERE place <= ${MOST.paths}`;

/** The result table: small, whatever the number of events; every answer is made from it. */
export function answerStage(dialect: Dialect): string {
  const { text, joinSorted } = dialect;
  const row = (section: string, given: Partial<Record<ResultColumn, string>>, from: string) => {
    const columns = RESULT_COLUMNS.map((column) => {
      const value = column === 'section' ? text(section) : given[column];
      return `${value ?? (numbers.includes(column) ? '0' : "''")} AS ${column}`;
    });
    return `SELECT ${columns.join(', ')} FROM ${from}`;
  };
  const rule = { outcome: 'outcome', side: 'side', rule_id: 'rule_id' };
  const seen = { first_seen: "coalesce(MIN(seen), '')", last_seen: "coalesce(MAX(seen), '')" };
  const byRule = 'PARTITION BY outcome, side, rule_id';
  return [
    row(
      'event',
      {
        verdict: 'bits',
        requests: 'events',
        item: `CASE WHEN ${bitAnd('bits', String(FACT_BITS.withoutRay))} > 0 THEN 'without-ray' ELSE 'event' END`,
      },
      'kinds',
    ),
    row('request', { outcome: 'outcome', verdict: 'bits', requests: 'requests' }, 'outcomes'),
    row(
      'rule',
      {
        ...rule,
        verdict: 'verdict',
        requests: 'COUNT(*)',
        clients: 'COUNT(DISTINCT client)',
        ...seen,
      },
      'hits GROUP BY outcome, side, rule_id, verdict',
    ),
    row(
      'path',
      { ...rule, host: 'host', path: 'path', requests: 'requests', clients: 'clients' },
      `(SELECT t.outcome AS outcome, t.side AS side, t.rule_id AS rule_id, t.host AS host, t.path AS path,
    MAX(t.requests) AS requests, COUNT(DISTINCT h.client) AS clients
  FROM tops t JOIN hits h ON h.outcome = t.outcome AND h.side = t.side AND h.rule_id = t.rule_id AND h.host = t.host AND h.path = t.path
  GROUP BY t.outcome, t.side, t.rule_id, t.host, t.path) counted`,
    ),
    row(
      'sample',
      {
        ...rule,
        verdict: 'verdict',
        item: 'ray',
        host: 'host',
        method: 'method',
        path: 'path',
        query_string: 'query_string',
        client: 'client',
        requests: '1',
        first_seen: "coalesce(seen, '')",
      },
      `(SELECT hits.*, ROW_NUMBER() OVER (${byRule} ORDER BY ray) AS place FROM hits) placed WHERE place <= ${MOST.samples}`,
    ),
    row(
      'set',
      { outcome: 'outcome', side: 'side', item: 'item', requests: 'requests' },
      `(SELECT outcome, side, item, requests, ROW_NUMBER() OVER (ORDER BY requests DESC, outcome, side, item) AS place
  FROM (SELECT outcome, side, item, COUNT(*) AS requests FROM (
      SELECT request, outcome, side, ${joinSorted('rule_id')} AS item FROM hits GROUP BY request, outcome, side
    ) joined GROUP BY outcome, side, item) counted) placed WHERE place <= ${MOST.sets}`,
    ),
    row(
      'hour',
      { outcome: 'outcome', item: 'item', requests: 'COUNT(*)' },
      `(SELECT request, outcome, coalesce(MIN(substr(seen, 1, 13)), '') AS item
  FROM hits GROUP BY request, outcome) timed GROUP BY outcome, item`,
    ),
  ].join('\nUNION ALL\n');
}

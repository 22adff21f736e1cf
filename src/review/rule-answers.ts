import { compareTexts } from '../model/compare-texts';
import { type Change, type RuleAnswer } from './comparison';
import { UNDECIDABLE } from './outcome';
import { type ResultRow } from './result-row';
import { type RuleName } from './rule-names';

const verdicts = ['log', 'log', 'challenge', 'block'] as const;

/** What a rule changes: undefined where it does what the other side does as well. */
function changeOf({ outcome, side, verdict }: ResultRow): Change | undefined {
  const acts = verdict >= 2;
  if (UNDECIDABLE.some((one) => one === outcome)) return 'undecidable';
  if (side === 'new' && outcome === 'only-new') return acts ? 'newly-blocked' : 'newly-logged';
  if (side === 'new' && outcome === 'stricter') return acts ? 'newly-blocked' : undefined;
  if (side === 'old' && outcome === 'only-old') {
    return acts ? 'no-longer-blocked' : 'no-longer-logged';
  }
  if (side === 'old' && outcome === 'laxer') return acts ? 'no-longer-blocked' : undefined;
  return undefined;
}

const weights: Readonly<Record<Change, number>> = {
  'newly-blocked': 4,
  'no-longer-blocked': 4,
  undecidable: 3,
  'newly-logged': 2,
  'no-longer-logged': 1,
};

/** The rules that would change something, the weightiest change and the most requests first. */
export function ruleAnswers(
  rows: readonly ResultRow[],
  total: number,
  nameOf: (side: 'old' | 'new', id: string) => RuleName,
): RuleAnswer[] {
  const details = byRule(rows);
  const answers = rows.flatMap((row): RuleAnswer[] => {
    const { section, outcome, side, rule_id: ruleId, requests } = row;
    const change = section === 'rule' ? changeOf(row) : undefined;
    if (change === undefined || outcome === '' || side === '') return [];
    const own = details.get(keyOf(row)) ?? [];
    return [
      {
        side,
        ruleId,
        ...nameOf(side, ruleId),
        change,
        outcome,
        verdict: verdicts[row.verdict] ?? 'block',
        requests,
        share: total === 0 ? 0 : requests / total,
        clients: row.clients,
        firstSeen: row.first_seen,
        lastSeen: row.last_seen,
        paths: own
          .filter((one) => one.section === 'path')
          .map(({ host, path, requests: count, clients }) => ({
            host,
            path,
            requests: count,
            clients,
          }))
          .sort(
            (one, other) =>
              other.requests - one.requests ||
              compareTexts(one.host, other.host) ||
              compareTexts(one.path, other.path),
          ),
        samples: own
          .filter((one) => one.section === 'sample' && one.verdict === row.verdict)
          .map((one) => ({
            rayId: one.item,
            method: one.method,
            host: one.host,
            path: one.path,
            query: one.query_string,
            client: one.client,
            time: one.first_seen,
          }))
          .sort((one, other) => compareTexts(one.rayId, other.rayId)),
      },
    ];
  });
  return answers.sort(
    (one, other) =>
      weights[other.change] - weights[one.change] ||
      other.requests - one.requests ||
      compareTexts(
        `${one.side} ${one.ruleId} ${one.outcome}`,
        `${other.side} ${other.ruleId} ${other.outcome}`,
      ),
  );
}

const keyOf = ({ outcome, side, rule_id: rule }: ResultRow): string => `${outcome} ${side} ${rule}`;

function byRule(rows: readonly ResultRow[]): Map<string, ResultRow[]> {
  const found = new Map<string, ResultRow[]>();
  for (const row of rows) {
    if (row.section !== 'path' && row.section !== 'sample') continue;
    const own = found.get(keyOf(row));
    if (own === undefined) found.set(keyOf(row), [row]);
    else own.push(row);
  }
  return found;
}

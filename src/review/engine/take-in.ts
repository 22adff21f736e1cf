import { FACT_BITS } from '../event-bits';
import { type EventFile, type EventInput, type Intake } from '../read/event-input';
import { type ResultRow } from '../result-row';
import { type Engine } from './engine';
import { eventTable, lineTable, ofZone } from './event-table';
import { fieldFacts } from './field-facts';

/** How many bad lines are shown. */
const SHOWN = 3;

/** What the numbers stand on, once the events were compared. */
export async function takeIn(
  engine: Engine,
  input: EventInput,
  rows: readonly ResultRow[],
  zoneName: string | undefined,
): Promise<Intake> {
  const counts = rows.filter(({ section }) => section === 'event');
  const having = (bit: number): number =>
    sum(counts.filter(({ verdict }) => (verdict & bit) !== 0).map(({ requests }) => requests));
  const unreadable = having(FACT_BITS.blank);
  const isRead = ({ verdict }: ResultRow): boolean => (verdict & FACT_BITS.blank) === 0;
  const read = counts.filter(isRead);
  const count = (some: readonly ResultRow[]): number => sum(some.map(({ requests }) => requests));
  return {
    files: input.files.length + input.empty.length,
    events: count(read),
    unreadable,
    firstUnreadable: unreadable === 0 ? [] : await firstBadLines(engine, input.files),
    withoutRay: count(read.filter(({ item }) => item === 'without-ray')),
    sampled: having(FACT_BITS.sampled),
    unknownActions: count(read.filter(({ verdict }) => (verdict & FACT_BITS.unknownAction) !== 0)),
    otherZone: await otherZone(engine, input.files, zoneName),
    ...(await fieldFacts(engine)),
    empty: input.empty,
    cut: input.cut,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

async function otherZone(
  engine: Engine,
  files: readonly EventFile[],
  zoneName: string | undefined,
): Promise<number> {
  if (zoneName === undefined) return 0;
  const table = await eventTable(engine, files);
  const [row] = await engine.rows(
    `SELECT count(*) AS others FROM ${table} WHERE NOT ${ofZone(zoneName)}`,
  );
  return Number(row?.['others'] ?? 0);
}

/** The lines themselves are only gone through where there are bad ones. */
async function firstBadLines(
  engine: Engine,
  files: readonly EventFile[],
): Promise<Intake['firstUnreadable']> {
  const found: { file: string; text: string }[] = [];
  for (const file of files) {
    if (file.format !== 'lines' || found.length >= SHOWN) continue;
    const rows = await engine.rows(
      `SELECT left(line, 120) AS line FROM ${lineTable([file], file.compression)}
       WHERE line IS NOT NULL AND trim(line) <> '' AND coalesce(json_type(TRY_CAST(line AS JSON)), '') <> 'OBJECT' LIMIT ${SHOWN - found.length}`,
    );
    found.push(...rows.map(({ line }) => ({ file: file.name, text: String(line) })));
  }
  return found;
}

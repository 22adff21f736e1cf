import { type Dialect } from '../dialect';
import { type SqlEngine } from '../sql-engines';
import { bigquery } from './bigquery';
import { clickhouse } from './clickhouse';
import { duckdb } from './duckdb';
import { spark } from './spark';
import { trino } from './trino';

/** The dialect of every engine. */
export const dialects: Readonly<Record<SqlEngine, Dialect>> = {
  duckdb,
  spark,
  trino,
  clickhouse,
  bigquery,
};

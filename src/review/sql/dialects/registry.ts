import { type Dialect } from '../dialect';
import { bigquery } from './bigquery';
import { clickhouse } from './clickhouse';
import { duckdb } from './duckdb';
import { spark } from './spark';
import { trino } from './trino';

/** Every engine that the comparison is written for. */
export const dialects: readonly Dialect[] = [duckdb, spark, trino, clickhouse, bigquery];

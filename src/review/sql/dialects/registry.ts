import { type Dialect } from '../dialect';
import { type SqlEngine } from '../sql-engines';
import { duckdb } from './duckdb';
import { spark } from './spark';

/** The dialect of every engine. */
export const dialects: Readonly<Record<SqlEngine, Dialect>> = {
  duckdb,
  spark,
};

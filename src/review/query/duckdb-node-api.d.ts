/** The part of the optional package that the review uses: the project compiles without the package. */
declare module '@duckdb/node-api' {
  interface DuckDBConnection {
    run(sql: string): Promise<unknown>;
    runAndReadAll(sql: string): Promise<{
      /** Integers of 64 bits are of type bigint. */
      getRowObjects(): readonly Readonly<Record<string, unknown>>[];
    }>;
    closeSync(): void;
  }

  const DuckDBInstance: {
    create(
      path: string,
      options?: Readonly<Record<string, string>>,
    ): Promise<{ connect(): Promise<DuckDBConnection>; closeSync(): void }>;
  };
}

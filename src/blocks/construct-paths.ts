import * as z from 'zod';
import { parseJson } from '../model/parse-json';
import { type ConfigSource } from './config-source';

/** What `cdktf synth --hcl` writes beside `cdk.tf`, which has no place for it (cdktf 0.21). */
export const STACK_METADATA = 'metadata.json';

const entries = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      '//': z.looseObject({ metadata: z.looseObject({ path: z.string() }) }).optional(),
    }),
  ),
);

const stackMetadata = z.looseObject({
  '//': z.looseObject({
    metadata: z.looseObject({ stackName: z.string(), version: z.string() }),
  }),
  resource: entries.optional().catch(undefined),
  data: entries.optional().catch(undefined),
});

/**
 * The constructs of a stack that CDKTF synthesised as HCL, by the addresses of their blocks.
 * @param sources the files of its folder
 * @returns undefined where it did not: a `cdk.tf` alone is written by hand, and so may be a `metadata.json`
 */
export function constructPaths(
  sources: readonly ConfigSource[],
): ReadonlyMap<string, string> | undefined {
  const named = (name: string): ConfigSource | undefined =>
    sources.find(({ path }) => path.split('/').at(-1) === name);
  const written = named(STACK_METADATA);
  if (written === undefined || named('cdk.tf') === undefined) return undefined;
  const { data: stack } = stackMetadata.safeParse(
    parseJson(new TextDecoder().decode(written.bytes)),
  );
  if (stack === undefined) return undefined;
  const kinds = [
    { prefix: '', types: stack.resource ?? {} },
    { prefix: 'data.', types: stack.data ?? {} },
  ];
  return new Map(
    kinds.flatMap(({ prefix, types }) =>
      Object.entries(types).flatMap(([type, names]) =>
        Object.entries(names).flatMap(([name, entry]): [string, string][] => {
          const path = entry['//']?.metadata.path;
          return path === undefined ? [] : [[`${prefix}${type}.${name}`, path]];
        }),
      ),
    ),
  );
}

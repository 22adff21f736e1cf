import * as z from 'zod';
import { type Plan } from './plan';

/** The plan format as a schema: what `parsePlan` accepts, and where plan.schema.json comes from. */
const text = z.string();
const texts = z.array(text).readonly();

const step = z
  .strictObject({
    id: z.string().regex(/^\d+$/),
    kind: z.enum([
      'backup',
      'edit',
      'import',
      'remove-dry-run',
      'remove',
      'apply-blocks',
      'upgrade-provider',
      'check',
      'manual',
    ]),
    state: text.describe('name of one of `states`'),
    states: texts
      .exactOptional()
      .describe('of an edit of files that several states share: all of them'),
    title: text,
    why: text,
    runs: z
      .array(
        z.strictObject({
          argv: texts.describe('an argument vector, never a shell string'),
          saveTo: text.exactOptional().describe('file that receives the output, mode 0600'),
        }),
      )
      .readonly()
      .exactOptional(),
    edits: z
      .array(
        z.strictObject({
          file: text,
          sha256: text.nullable().describe('of the file before the edit; null where there is none'),
          remove: z
            .array(z.strictObject({ address: text, startLine: z.int(), endLine: z.int() }))
            .readonly(),
          insert: text.exactOptional(),
          sha256After: text
            .nullable()
            .describe(
              'of the file that the edit leaves: a finished edit is known by it; null where it deletes the file',
            ),
          proven: z
            .literal(true)
            .exactOptional()
            .describe('a second parser has read what the edit leaves, as planned'),
          diff: text,
        }),
      )
      .readonly()
      .exactOptional(),
    addresses: texts.exactOptional(),
    importId: text.exactOptional(),
    code: text
      .exactOptional()
      .describe('what to add to a CDKTF stack, in TypeScript, or a diff to make'),
    provider: text.exactOptional().describe('version of the provider that the step installs'),
    expects: z
      .strictObject({
        gone: texts.exactOptional().describe('addresses that the state no longer has'),
        present: texts.exactOptional().describe('addresses that the state has'),
        plan: z.enum(['empty', 'target-empty', 'import-and-forget']).exactOptional(),
      })
      .exactOptional(),
  })
  .readonly();

/** Schema of {@link Plan}; the compiler holds the two together. */
export const planSchema = z
  .strictObject({
    format: z.literal('cf-waf-migrate/plan'),
    formatVersion: z.literal(1),
    digest: text.describe(
      'sha256 of the plan without this field: a plan that was edited is refused',
    ),
    zones: z
      .array(
        z.strictObject({
          zoneId: text,
          ruleset: z.strictObject({ id: text, address: text, importId: text, state: text }),
        }),
      )
      .readonly(),
    states: z
      .array(
        z.strictObject({
          name: text,
          dir: text.describe('folder of its configuration, relative to the folder of the plan'),
          workspace: text,
          dataDir: text.exactOptional().describe('TF_DATA_DIR, where it was set'),
          lineage: text,
          serial: z.int(),
          terraformVersion: text,
          provider: z.strictObject({ from: text, to: text }),
          method: z.enum(['commands', 'blocks']),
          because: text,
        }),
      )
      .readonly(),
    steps: z.array(step).min(1).readonly(),
    findings: z
      .array(
        z.strictObject({
          code: text,
          severity: z.enum(['info', 'decision', 'blocker']),
          subject: text,
          message: text,
          remedy: text,
        }),
      )
      .readonly(),
  })
  .readonly() satisfies z.ZodType<Plan>;

/** The plan format as JSON Schema: the text of docs/plan.schema.json. */
export function renderPlanJsonSchema(): string {
  const schema = z.toJSONSchema(planSchema, { target: 'draft-2020-12' });
  const title = { title: 'Migration plan of cf-waf-migrate, format version 1' };
  return `${JSON.stringify({ ...title, ...schema }, null, 2)}\n`;
}

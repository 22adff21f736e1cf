import { NoAnswer } from '../http/cloudflare-http';
import { type Diagnostic, type Path, Refusal } from '../resource';
import { type AttributeJson, type BlockJson, type SchemaJson } from '../schema/field';

export function wirePath(path: Path): object {
  return {
    steps: path.map((step) =>
      typeof step === 'number' ? { element_key_int: step } : { attribute_name: step },
    ),
  };
}

export function wireDiagnostics(diagnostics: Diagnostic[]): object[] {
  return diagnostics.map(({ severity, summary, detail = '', path }) => ({
    severity: severity === 'error' ? 1 : 2,
    summary,
    detail,
    ...(path !== undefined && { attribute: wirePath(path) }),
  }));
}

/**
 * A refusal becomes the only diagnostic of an answer; any other error is a bug of this provider.
 *
 * @param otherwise the rest of the answer, such as a state that must not be lost
 */
export async function guarded(
  answer: () => object | Promise<object>,
  otherwise: object = {},
): Promise<object> {
  try {
    return await answer();
  } catch (thrown) {
    const error = thrown instanceof NoAnswer ? new Refusal(thrown.message) : thrown;
    if (!(error instanceof Refusal)) throw error;
    const { summary, detail, path } = error;
    return {
      ...otherwise,
      diagnostics: wireDiagnostics([
        { severity: 'error', summary, detail, ...(path !== undefined && { path }) },
      ]),
    };
  }
}

const nesting = { single: 1, list: 2, set: 3, map: 4 } as const;

function wireAttribute([name, attribute]: [string, AttributeJson]): object {
  return {
    name,
    required: attribute.required ?? false,
    optional: attribute.optional ?? false,
    computed: attribute.computed ?? false,
    sensitive: attribute.sensitive ?? false,
    deprecated: attribute.deprecated ?? false,
    ...(attribute.nested_type === undefined
      ? { type: Buffer.from(JSON.stringify(attribute.type)) }
      : {
          nested_type: {
            nesting: nesting[attribute.nested_type.nesting_mode],
            attributes: Object.entries(attribute.nested_type.attributes).map(wireAttribute),
          },
        }),
  };
}

function wireBlock(block: BlockJson): object {
  return {
    attributes: Object.entries(block.attributes ?? {}).map(wireAttribute),
    block_types: Object.entries(block.block_types ?? {}).map(([type_name, nested]) => ({
      type_name,
      nesting: nesting[nested.nesting_mode],
      min_items: nested.min_items ?? 0,
      max_items: nested.max_items ?? 0,
      block: wireBlock(nested.block),
    })),
    deprecated: block.deprecated ?? false,
  };
}

/** A schema as `terraform providers schema -json` prints it, as the protocol sends it. */
export function wireSchema(schema: SchemaJson): object {
  return { version: schema.version, block: wireBlock(schema.block) };
}

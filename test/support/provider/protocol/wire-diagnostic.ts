import { NoAnswer } from '../http/cloudflare-http';
import { type Diagnostic, type Path, Refusal } from '../resource';

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
 * A refusal becomes the one diagnostic of an answer; whatever else is thrown is a fault of ours.
 *
 * @param otherwise what the answer holds besides the diagnostic: a state that must not be lost
 */
export async function guarded(
  answer: () => object | Promise<object>,
  otherwise: object | ((refusal: Refusal) => object) = {},
): Promise<object> {
  try {
    return await answer();
  } catch (thrown) {
    const error = thrown instanceof NoAnswer ? new Refusal(thrown.message) : thrown;
    if (!(error instanceof Refusal)) throw error;
    const { summary, detail, path } = error;
    return {
      ...(typeof otherwise === 'function'
        ? (otherwise as (r: Refusal) => object)(error)
        : otherwise),
      diagnostics: wireDiagnostics([
        { severity: 'error', summary, detail, ...(path !== undefined && { path }) },
      ]),
    };
  }
}

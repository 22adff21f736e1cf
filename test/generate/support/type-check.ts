import { join } from 'node:path';
import ts from 'typescript';

const folder = __dirname;

/** The declarations that programs of these options share: to read them takes longer than to check a source. */
const read = new Map<string, ts.SourceFile | undefined>();

/**
 * What the compiler says of these sources under strict, with the real bindings; in one program.
 * `paths` leads it to those of another major.
 */
export function typeErrors(
  sources: readonly string[],
  paths: Record<string, string[]> = {},
): string[] {
  const files = new Map(sources.map((text, index) => [join(folder, `virtual-${index}.ts`), text]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true,
    noEmit: true,
    paths,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    const text = files.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
    if (!read.has(path)) read.set(path, getSourceFile(path, ...rest));
    return read.get(path);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

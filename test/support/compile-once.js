const vm = require('node:vm');

const { compileFunction } = vm;

/** Compiled scripts by file, because jest loads every module again for each test file. */
const compiled = new Map();

/**
 * Compiles a module once per process instead of once per test file. V8 keeps the compiled functions
 * of a script, but not those of `vm.compileFunction`. This halves the time to load the modules of a
 * test. V8 counts the branches of such a script only for the first test file.
 */
vm.compileFunction = (source, parameters, options) => {
  if (process.env.TEST_COVERAGE) return compileFunction(source, parameters, options);
  const { filename, parsingContext } = options;
  const known = compiled.get(filename);
  if (known?.source === source) return known.script.runInContext(parsingContext);
  const head = `(function (${parameters.join(', ')}) {`;
  const place = { filename, columnOffset: -head.length };
  const script = new vm.Script(`${head}${source}\n})`, place);
  compiled.set(filename, { source, script });
  return script.runInContext(parsingContext);
};

const vm = require('node:vm');

/** What was compiled, by its file: jest loads every module anew for each file of tests. */
const compiled = new Map();

/**
 * Compiles a module once in each process, and not once for each file of tests: V8 keeps a script with the
 * functions that were needed of it, and runs it in every context; of `vm.compileFunction` it keeps nothing.
 * Half of what it takes to load the modules of a test was this.
 */
vm.compileFunction = (source, parameters, { filename, parsingContext }) => {
  const known = compiled.get(filename);
  if (known?.source === source) return known.script.runInContext(parsingContext);
  const head = `(function (${parameters.join(', ')}) {`;
  const options = { filename, columnOffset: -head.length };
  const script = new vm.Script(`${head}${source}\n})`, options);
  compiled.set(filename, { source, script });
  return script.runInContext(parsingContext);
};

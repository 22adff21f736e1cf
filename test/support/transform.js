require('./compile-once');
const { createHash } = require('node:crypto');
const { relative } = require('node:path');
const { createTransformer } = require('@swc/jest');
const mutants = require('./mutants.json');

const root = require('node:path').join(__dirname, '../..');
const mutant = mutants.find(({ name }) => name === process.env.MUTANT);

/** The source without what the mutant takes away: no file is edited, so nothing has to be put back. */
function mutated(source, filename) {
  if (mutant === undefined || relative(root, filename) !== mutant.file) return source;
  if (!source.includes(mutant.find))
    throw new Error(`${mutant.name} no longer applies to ${mutant.file}`);
  return source.replace(mutant.find, () => mutant.replace);
}

/** swc, with one mutant (MUTANT=name) on the way: see scripts/mutate-generator.mjs. */
module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      ...swc,
      process: (source, filename, config) =>
        swc.process(mutated(source, filename), filename, config),
      getCacheKey: (source, filename, config) =>
        createHash('sha256')
          .update(swc.getCacheKey(source, filename, config))
          // what jest keeps compiled is kept apart for the one file that differs
          .update(mutated(source, filename))
          .digest('hex'),
    };
  },
};

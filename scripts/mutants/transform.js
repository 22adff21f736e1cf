const { createHash } = require('node:crypto');
const { relative, sep } = require('node:path');
const { createTransformer } = require('@swc/jest');
const mutants = require('./generator');

/** The mutant that the environment names; no file is changed, only what the tests load. */
const mutant = mutants.find(({ name }) => name === process.env.MUTANT);

const mutate = (source, path) => {
  const file = relative(process.cwd(), path).split(sep).join('/');
  // a function: in a replacement string `$$` would mean `$`
  return file === mutant?.file ? source.replace(mutant.take, () => mutant.leave) : source;
};

module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      canInstrument: swc.canInstrument,
      process: (source, path, more) => swc.process(mutate(source, path), path, more),
      // what jest keeps compiled is kept apart for the one file that differs
      getCacheKey: (source, path, ...rest) =>
        createHash('sha256')
          .update(swc.getCacheKey(source, path, ...rest))
          .update(mutate(source, path))
          .digest('hex'),
    };
  },
};

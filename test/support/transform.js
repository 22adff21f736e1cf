const { transformSync } = require('esbuild');
require('./compile-once');

module.exports = {
  process: (source, file) =>
    transformSync(source, {
      loader: 'ts',
      format: 'cjs',
      target: 'node20.12',
      supported: { 'dynamic-import': false },
      sourcefile: file,
      sourcemap: true,
    }),
};

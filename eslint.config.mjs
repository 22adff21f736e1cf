import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * The levels of src/, from docs/architecture.md: a folder imports from the levels above its own in this list.
 * A folder that is not listed here may not be imported at all.
 */
const levels = [
  ['core'],
  ['cloudflare', 'files', 'html', 'ruleset', 'terraform', 'tfconfig', 'tfstate'],
  ['project'],
  ['translate'],
  ['generate'],
  ['plan'],
  ['apply', 'firewall', 'report', 'review', 'zone'],
  ['fleet'],
  ['cli'],
];
const layers = {
  ...Object.fromEntries(
    levels.flatMap((level, at) => level.map((folder) => [folder, levels.slice(0, at).flat()])),
  ),
  emulator: [],
};
// the command line starts the emulator for `demo` and `emulator`
layers.cli.push('emulator');
const packages = {
  undici: ['cloudflare'],
  hono: ['emulator'],
  '@hono/node-server': ['emulator'],
  'node:child_process': ['terraform'],
  'web-tree-sitter': ['tfconfig'],
  '@cdktf/hcl2json': ['tfconfig'],
  '@duckdb/node-api': ['review'],
  commander: ['cli'],
  picocolors: ['cli'],
};

const layerRules = Object.entries(layers).map(([folder, allowed]) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: Object.entries(packages)
          .filter(([, folders]) => !folders.includes(folder))
          .map(([name, folders]) => ({
            name,
            message: `only src/${folders.join(', src/')} imports it`,
          })),
        patterns: Object.keys(layers)
          .filter((other) => other !== folder && !allowed.includes(other))
          .map((other) => ({
            regex: `^(\\.\\./)+${other}/`,
            message: `src/${folder} may not import src/${other}`,
          })),
      },
    ],
  },
}));
const pure = ['core', 'html', 'ruleset', 'tfstate', 'tfconfig', 'translate', 'generate', 'plan'];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'cdktf.out/',
      'coverage/',
      'demo-output/',
      'node_modules/',
      'docs/api/',
      'test/golden/',
      'test/fixtures/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver': { node: { extensions: ['.ts', '.js'] } },
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    rules: {
      'import-x/no-cycle': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-assertions': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 350, skipBlankLines: false, skipComments: false }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSAsExpression:not([typeAnnotation.typeName.name="const"])',
          message: 'parse at the edge instead of asserting a type',
        },
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'write the properties without a spread',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli/main.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'only src/cli/main.ts knows the process' },
      ],
    },
  },
  {
    files: pure.map((folder) => `src/${folder}/**/*.ts`),
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'the core reads no clock' },
        { object: 'Math', property: 'random', message: 'the core knows no randomness' },
      ],
    },
  },
  ...layerRules,
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
);

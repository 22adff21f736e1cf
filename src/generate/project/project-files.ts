import { type Dialect } from '../dialects/dialect';
import { type Flavor } from '../flavor';
import { type GeneratedFile } from '../formats/format';
import { printJson } from '../formats/quote';
import { readmeText } from './readme';
import { loaderText, mainText, testText } from './sources';

/** What a project depends on; the stacks do not show in it, so that more can be added later. */
export interface ProjectRequest {
  readonly dialect: Dialect;
  readonly flavor: Flavor;
}

/**
 * A whole small CDKTF project around generated stacks: it installs, type-checks, tests and
 * synthesises on its own, and knows nothing of this tool. The stacks lie in its folder `stacks`. Pure.
 */
export function projectFiles(request: ProjectRequest): GeneratedFile[] {
  const { flavor } = request;
  return [
    { path: 'package.json', text: printJson(manifest(request)) },
    { path: 'cdktf.json', text: printJson(cdktfJson(request)) },
    { path: 'tsconfig.json', text: printJson(tsconfig(flavor)) },
    { path: 'main.ts', text: mainText(flavor) },
    { path: 'load-stacks.ts', text: loaderText(flavor) },
    { path: '__tests__/stacks.test.ts', text: testText(flavor) },
    { path: 'README.md', text: readmeText(request) },
    {
      path: '.gitignore',
      text: 'node_modules/\n.gen/\ncdktf.out/\n*.tfstate\n*.tfstate.*\n.terraform/\n',
    },
  ];
}

function manifest({ dialect, flavor }: ProjectRequest): object {
  return {
    name: 'waf-managed-rules',
    version: '1.0.0',
    private: true,
    scripts: {
      ...(flavor.isPublished ? {} : { get: `${flavor.cli} get` }),
      check: 'tsc --noEmit',
      test: 'jest',
      synth: 'tsx main.ts',
    },
    dependencies: {
      ...(flavor.isPublished ? { [flavor.bindings]: dialect.bindings } : {}),
      [flavor.core]: flavor.coreVersion,
      constructs: flavor.constructsVersion,
    },
    devDependencies: {
      '@swc/core': '^1.16.0',
      '@swc/jest': '^0.2.39',
      '@types/jest': '^30.0.0',
      '@types/node': '^20.19.0',
      ...(flavor.isPublished ? {} : { [`${flavor.cli}-cli`]: flavor.coreVersion }),
      jest: '^30.0.0',
      tsx: '^4.23.0',
      typescript: '~6.0.0',
    },
    // the bindings of the older majors ask for a CDKTF of their time, and work with this one
    ...(flavor.isPublished && {
      overrides: {
        [flavor.bindings]: { [flavor.core]: `$${flavor.core}`, constructs: '$constructs' },
      },
    }),
    jest: {
      testEnvironment: 'node',
      transform: { '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' } } }] },
      testPathIgnorePatterns: ['/node_modules/', '/cdktf.out/'],
      modulePathIgnorePatterns: ['/cdktf.out/'],
    },
  };
}

function cdktfJson({ dialect, flavor }: ProjectRequest): object {
  return {
    language: 'typescript',
    app: 'npx tsx main.ts',
    sendCrashReports: 'false',
    terraformProviders: flavor.isPublished ? [] : [`cloudflare/cloudflare@${dialect.constraint}`],
    terraformModules: [],
    context: {},
  };
}

/** CommonJS: the bindings are. Generated bindings do not compile with exact optional properties. */
const tsconfig = ({ isPublished }: Flavor): object => ({
  compilerOptions: {
    target: 'es2022',
    module: 'commonjs',
    moduleResolution: 'bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: isPublished,
    esModuleInterop: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node', 'jest'],
  },
  exclude: ['node_modules', 'cdktf.out'],
});

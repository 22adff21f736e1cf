/** CDKTF itself, or CDK Terrain, its successor: the same API under other package names. */
export type FlavorName = 'cdktf' | 'cdktn';

export const FLAVORS: readonly FlavorName[] = ['cdktf', 'cdktn'];

/** Package names, versions and the source of the bindings. */
export interface Flavor {
  readonly title: string;
  /** The package of `App` and `TerraformStack`. */
  readonly core: string;
  readonly coreVersion: string;
  readonly constructsVersion: string;
  /** The package of the bindings, with `lib/ruleset` and `lib/provider` below it. */
  readonly bindings: string;
  /** Whether npm has the bindings package; otherwise a project generates its bindings. */
  readonly isPublished: boolean;
  /** Where a file in a folder of a new project imports `ruleset` and `provider` from. */
  readonly importPath: string;
  /** The name of the command-line tool. */
  readonly cli: string;
}

/** The last versions of CDKTF (archived in December 2025), and the CDK Terrain of November 2026. */
export const flavors: Readonly<Record<FlavorName, Flavor>> = {
  cdktf: {
    title: 'CDKTF',
    core: 'cdktf',
    coreVersion: '^0.21.0',
    constructsVersion: '10.4.5',
    bindings: '@cdktf/provider-cloudflare',
    isPublished: true,
    importPath: '@cdktf/provider-cloudflare/lib',
    cli: 'cdktf',
  },
  cdktn: {
    title: 'CDK Terrain',
    core: 'cdktn',
    coreVersion: '^0.24.0',
    constructsVersion: '^10.6.0',
    bindings: '@cdktn/provider-cloudflare',
    isPublished: false,
    importPath: '../.gen/providers/cloudflare',
    cli: 'cdktn',
  },
};

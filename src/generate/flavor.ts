/** CDKTF itself, or CDK Terrain, its successor: the same API under other package names. */
export type FlavorName = 'cdktf' | 'cdktn';

export const FLAVORS: readonly FlavorName[] = ['cdktf', 'cdktn'];

/** Names and versions of its packages, and the source of its bindings. */
export interface Flavor {
  readonly title: string;
  /** Package of `App` and `TerraformStack`. */
  readonly core: string;
  readonly coreVersion: string;
  readonly constructsVersion: string;
  /** Package of the bindings; `lib/ruleset` and `lib/provider` are below it. */
  readonly bindings: string;
  /** Whether npm has that package. Otherwise a project generates its bindings. */
  readonly isPublished: boolean;
  /** Where a file in a folder of a new project imports `ruleset` and `provider` from. */
  readonly importPath: string;
  /** The command line. */
  readonly cli: string;
}

/** Versions: the last of CDKTF (archived in December 2025), and the CDK Terrain of November 2026. */
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

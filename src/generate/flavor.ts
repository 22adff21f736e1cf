/** CDKTF itself, or CDK Terrain, its successor: the same API under other package names. */
export type FlavorName = 'cdktf' | 'cdktn';

export const FLAVORS: readonly FlavorName[] = ['cdktf', 'cdktn'];

/** The packages that a generated program imports. */
export interface Flavor {
  /** The package of `App` and `TerraformStack`. */
  readonly core: string;
  /** The package of the bindings, with `lib/ruleset` and `lib/provider` below it. */
  readonly bindings: string;
  /** Where a program imports `ruleset` and `provider` from, unless its project has its own bindings. */
  readonly importPath: string;
}

/** npm has no bindings for CDK Terrain (November 2026): `cdktn get` generates them. */
export const flavors: Readonly<Record<FlavorName, Flavor>> = {
  cdktf: {
    core: 'cdktf',
    bindings: '@cdktf/provider-cloudflare',
    importPath: '@cdktf/provider-cloudflare/lib',
  },
  cdktn: {
    core: 'cdktn',
    bindings: '@cdktn/provider-cloudflare',
    importPath: '../.gen/providers/cloudflare',
  },
};

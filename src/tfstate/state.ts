/** `managed` for a resource, `data` for a data source: the two modes that a state can hold. */
export type ResourceMode = 'managed' | 'data';

/** The key of one instance: a number under `count`, a string under `for_each`, else undefined. */
export type InstanceKey = string | number | undefined;

/** One object of a resource. A deposed object has the same address as the current one. */
export interface StateInstance {
  /** As `terraform state list` prints it. */
  readonly address: string;
  readonly indexKey?: InstanceKey;
  /** `tainted`: the next apply replaces it. */
  readonly status?: 'tainted' | undefined;
  /** The key (eight characters) of an object that a replacement left behind. */
  readonly deposed?: string | undefined;
  /** The version of the provider's schema that wrote it. */
  readonly schemaVersion: number;
  /** As the provider wrote them. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A resource of the types that this tool is about (old-waf-types.ts). */
export interface StateResource {
  /** Without an instance key. */
  readonly address: string;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  /** As it stands in the state, HCL escapes kept: `module.zones["a"]`; empty at the root. */
  readonly module: string;
  /** As it stands in the state: `provider["registry.terraform.io/cloudflare/cloudflare"].eu`. */
  readonly provider: string;
  /** Narrowed at the first access, which throws `STATE_INVALID` when their shape is wrong. */
  readonly instances: readonly StateInstance[];
}

/** How many instances of one type are bound to one provider configuration. */
export interface ResourceCount {
  readonly mode: ResourceMode;
  readonly type: string;
  readonly provider: string;
  readonly count: number;
}

/** A Terraform state, as far as this tool reads it. */
export interface State {
  /** Empty when the state does not say. */
  readonly terraformVersion: string;
  readonly serial: number;
  readonly lineage: string;
  /** Only those of interest, in the order of the state. */
  readonly resources: readonly StateResource[];
  /** Every resource of the state, those of interest included. */
  readonly counts: readonly ResourceCount[];
}

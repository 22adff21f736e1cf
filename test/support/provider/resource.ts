import { type CloudflareHttp } from './http/cloudflare-http';
import { type ObjectValue } from './protocol/value';
import { type SchemaJson } from './schema/field';

/** The path to a part of a value: names of attributes, and indexes of lists. */
export type Path = (string | number)[];

export interface Diagnostic {
  severity: 'error' | 'warning';
  summary: string;
  detail?: string;
  path?: Path;
}

/** A refusal of a provider: the only error of its answer. */
export class Refusal extends Error {
  constructor(
    readonly summary: string,
    readonly detail = '',
    readonly path?: Path,
  ) {
    super(summary);
  }
}

/** For what the tool never makes Terraform do, and what was not measured. */
export const notImitated = (): Promise<never> => Promise.reject(new Refusal('not imitated'));

export interface Plan {
  planned: ObjectValue;
  requiresReplace: Path[];
}

export interface PlanRequest {
  /** What is in state; null when the resource is to be created. */
  prior: ObjectValue | null;
  /** What Terraform core proposes: configuration, with computed values taken from state. */
  proposed: ObjectValue;
  config: ObjectValue;
}

/** A resource of one major. What it lacks is not imitated, such as that no resource can be destroyed. */
export interface Resource {
  schema: SchemaJson;
  /** Written with SDKv2: Terraform then tolerates plans that do not match the configuration. */
  legacy: boolean;
  validate(config: ObjectValue): Diagnostic[];
  upgrade(version: number, state: unknown): ObjectValue;
  importState?: (id: string, http: CloudflareHttp) => Promise<ObjectValue>;
  /** The object in the API; null if it is gone. */
  read(state: ObjectValue, http: CloudflareHttp): Promise<ReadAnswer>;
  plan(request: PlanRequest): Plan;
  create?: (planned: ObjectValue, http: CloudflareHttp) => Promise<ObjectValue>;
  update?: (planned: ObjectValue, http: CloudflareHttp) => Promise<ObjectValue>;
}

interface ReadAnswer {
  state: ObjectValue | null;
  warnings?: Diagnostic[];
}

export interface DataSource {
  schema: SchemaJson;
  read(config: ObjectValue, http: CloudflareHttp): Promise<ObjectValue>;
}

export interface Provider {
  schema: SchemaJson;
  resources: Record<string, Resource>;
  dataSources: Record<string, DataSource>;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SchemaJson } from './field';

/** A major of the real provider, and the version of it that was measured. */
export const measuredVersion = { 3: '3.35.0', 4: '4.52.8', 5: '5.22.0' } as const;
export type Major = keyof typeof measuredVersion;

export interface ProviderSchema {
  provider: SchemaJson;
  resources: Record<string, SchemaJson>;
  dataSources: Record<string, SchemaJson>;
}

const folder = join(__dirname, '../../../fixtures/terraform/schemas');

/** The real schema of a provider, as `terraform providers schema -json` printed it. */
export function loadSchema(major: Major): ProviderSchema {
  const text = readFileSync(join(folder, `${measuredVersion[major]}.json`), 'utf8');
  const file = JSON.parse(text) as {
    provider_schemas: Record<
      string,
      {
        provider: SchemaJson;
        resource_schemas: Record<string, SchemaJson>;
        data_source_schemas: Record<string, SchemaJson>;
      }
    >;
  };
  const schema = file.provider_schemas['registry.terraform.io/cloudflare/cloudflare'];
  if (schema === undefined) throw new Error(`no provider in the schema of major ${major}`);
  return {
    provider: schema.provider,
    resources: schema.resource_schemas,
    dataSources: schema.data_source_schemas,
  };
}

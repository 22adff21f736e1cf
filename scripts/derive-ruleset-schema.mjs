// Derives src/generate/dialects/schemas/v{3,4,5}.json from `terraform providers schema -json`:
// what cloudflare_ruleset can be configured with, and nothing else. Leaves out parameters that the CDKTF
// bindings lack: all of them belong to other phases.
import { readFileSync, writeFileSync } from 'node:fs';

const [source, target] = process.argv.slice(2);
if (target === undefined) {
  console.error(
    'usage: npm run dialect-schema <schema.json> <out.json>; npx prettier --write <out.json>',
  );
  process.exit(1);
}
const [provider] = Object.values(JSON.parse(readFileSync(source, 'utf8')).provider_schemas);

const attribute = (definition) => {
  if (definition.nested_type) {
    return {
      nesting: definition.nested_type.nesting_mode,
      attributes: node(definition.nested_type),
    };
  }
  const type = definition.type;
  return Array.isArray(type) ? type.flat(Infinity).join(' of ') : type;
};
const node = ({ attributes = {}, block_types = {} }) =>
  Object.fromEntries([
    ...Object.entries(attributes)
      .filter(
        ([, definition]) => (definition.optional || definition.required) && !definition.deprecated,
      )
      .map(([name, definition]) => [name, attribute(definition)]),
    ...Object.entries(block_types).map(([name, { block, max_items }]) => [
      name,
      {
        nesting: 'block',
        ...(max_items === 1 && { max: 1 }),
        attributes: node(block),
      },
    ]),
  ]);

const UNBOUND = [
  'asset_name content_converter expression immutable max_age must_revalidate must_understand no_cache',
  'no_store no_transform operation private proxy_revalidate public redirects_for_ai_training',
  'request_body_buffering response_body_buffering s_maxage stale_if_error stale_while_revalidate',
  'strip_etags strip_last_modified strip_set_cookie values vary',
].flatMap((names) => names.split(' '));
const schema = node(provider.resource_schemas.cloudflare_ruleset.block);
const parameters = schema.rules.attributes.action_parameters;
for (const name of UNBOUND) delete parameters.attributes[name];
writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);

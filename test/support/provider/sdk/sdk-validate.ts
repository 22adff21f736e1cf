import { isObject, type ObjectValue } from '../protocol/value';
import { type Diagnostic, type Path } from '../resource';
import { type AttributeJson, type BlockJson } from '../schema/field';

/**
 * The checks of SDKv2 for every configuration: it refuses values for attributes that only the provider sets,
 * and warns about deprecated ones.
 */
export function sdkValidate(block: BlockJson, config: ObjectValue, at: Path = []): Diagnostic[] {
  const own = Object.entries(block.attributes ?? {}).flatMap(([name, attribute]) =>
    (config[name] ?? null) === null ? [] : attributeDiagnostics(attribute, [...at, name]),
  );
  const nested = Object.entries(block.block_types ?? {}).flatMap(([name, inner]) => {
    const items = config[name];
    if (!Array.isArray(items)) return [];
    return items.flatMap((item, index) =>
      isObject(item) ? sdkValidate(inner.block, item, [...at, name, index]) : [],
    );
  });
  return [...own, ...nested];
}

function attributeDiagnostics(attribute: AttributeJson, path: Path): Diagnostic[] {
  if (attribute.required !== true && attribute.optional !== true) {
    return [
      {
        severity: 'error',
        summary: 'Value for unconfigurable attribute',
        detail:
          `Can't configure a value for ${JSON.stringify(String(path.at(-1)))}: its value will be ` +
          'decided automatically based on the result of applying this configuration.',
        path,
      },
    ];
  }
  if (attribute.deprecated === true) {
    return [{ severity: 'warning', summary: 'Argument is deprecated', path }];
  }
  return [];
}

/** Refuses text that is not one of a list. */
export function oneOf(allowed: readonly string[], config: ObjectValue, path: Path): Diagnostic[] {
  const name = String(path.at(-1));
  const value = config[name];
  if (typeof value !== 'string' || allowed.includes(value)) return [];
  return [
    {
      severity: 'error',
      summary: `expected ${name} to be one of [${allowed.join(' ')}], got ${value}`,
      path,
    },
  ];
}

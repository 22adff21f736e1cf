import { type JsonObject, type JsonValue } from '../model/json';
import { type ConfigProject } from './config-project';
import { type ConfigObject, type ConfigValue, Expression, isList, isObject } from './config-value';
import { isStackFile } from './is-synthesised';
import { readBody } from './read-body';

/**
 * The blocks of one type that a stack of CDKTF was synthesised with (as JSON), in order and as they stand.
 *
 * @param type `import` or `removed`
 */
export function standingOverrides({ rootModule }: ConfigProject, type: string): JsonObject[] {
  return rootModule.files
    .filter(isStackFile)
    .flatMap((file) =>
      file.blocks
        .filter((block) => block.type === type)
        .map((block) => toObject(readBody(file, block))),
    );
}

function toObject(object: ConfigObject): JsonObject {
  return Object.fromEntries([...object].map(([name, value]) => [name, toJson(value)]));
}

function toJson(value: ConfigValue): JsonValue {
  if (isObject(value)) return toObject(value);
  if (isList(value)) return value.map(toJson);
  return value instanceof Expression ? value.text : value;
}

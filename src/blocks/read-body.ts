import { type ConfigBlock, type ConfigFile } from './config-file';
import { type ConfigObject } from './config-value';
import { hclBody } from './hcl-body';
import { jsonBody } from './json-body';

/** What stands in a block, as far as it can be read without Terraform. */
export function readBody(file: ConfigFile, block: ConfigBlock): ConfigObject {
  return file.syntax === 'hcl' ? hclBody(file, block) : jsonBody(file, block);
}

import { runTerraform, type TerraformOptions } from './run-terraform';

/**
 * `terraform workspace show`: the workspace that commands in this folder use, `TF_WORKSPACE` included.
 * @throws MigrationError as {@link runTerraform}
 */
export async function workspaceShow(options: TerraformOptions): Promise<string> {
  return (await runTerraform(['workspace', 'show'], options)).toString('utf8').trim();
}

import { type FakeTerraform, fakeTerraform } from '../../support/fake-terraform';

export const resourceOf = (type: string, name: string, attributes: object, more: object = {}) => ({
  ...{ mode: 'managed', type, name },
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances: [{ schema_version: 0, attributes, ...more }],
});

export const stateOf = (...resources: object[]) => ({
  ...{ version: 4, terraform_version: '1.11.4', serial: 3, outputs: {} },
  lineage: '8a8b9d74-1bbc-5b46-8c8b-63e9678ba34a',
  resources,
});

/** A fake Terraform that pulls the state in a file, in a workspace of this name. */
export function terraformOf(folder: string, state: string, workspace = 'default'): FakeTerraform {
  const answers = `'state pull') cat '${state}' ;; 'workspace show') echo ${workspace} ;;`;
  return fakeTerraform(folder, `case "$*" in ${answers} esac`);
}

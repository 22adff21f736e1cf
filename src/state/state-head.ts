import { isJsonObject } from '../model/json';
import { MigrationError } from '../model/migration-error';
import { resourcesOf } from './resources-of';

type Document = Readonly<Record<string, unknown>>;

/** What a state says about itself. */
export interface StateHead {
  readonly terraformVersion: string;
  readonly serial: number;
  readonly lineage: string;
}

const pull = 'pass what `terraform state pull` prints, as it is';

function noState(message: string, hint = pull): MigrationError {
  return new MigrationError('STATE_INVALID', message, { hint });
}

/** Documents that people pass by mistake. */
function refuseOtherKinds(document: Document): void {
  // OpenTofu 1.7 and later: the state proper is inside `encrypted_data`.
  if (typeof document['encrypted_data'] === 'string' || 'encryption_version' in document) {
    throw new MigrationError('STATE_ENCRYPTED', 'the state is encrypted by OpenTofu');
  }
  if (document['format'] === 'cf-waf-migrate/finish-backup') {
    throw noState(
      'this is what `finish` has saved of the old settings, not a Terraform state',
      'read it yourself (`oldWaf` has every package, group and rule), or leave it to `finish`; pass what `terraform state pull` printed before the old resources left it, such as the backup of `apply`',
    );
  }
  if ('format_version' in document) {
    const isPlan = 'planned_values' in document || 'resource_changes' in document;
    throw noState(
      isPlan
        ? 'this is a Terraform plan as JSON, not a state'
        : 'this is what `terraform show -json` prints, not the state itself',
    );
  }
}

/** What `version` says, of which only 4 is read. */
function refuseOtherVersions(document: Document): void {
  const version = document['version'];
  if (version === 4) return;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw noState('this is JSON, but not a Terraform state: it has no format version');
  }
  if (version < 4 && !('modules' in document) && !('terraform_version' in document)) {
    throw noState('this is JSON, but not a Terraform state');
  }
  throw new MigrationError(
    'STATE_VERSION_UNSUPPORTED',
    `the state has format version ${version}; version 4 is read`,
    {
      // Terraform 1.11.4 reads versions 1 to 3, without a provider, and prints version 4.
      hint:
        version < 4
          ? 'pass what `terraform state pull` of Terraform 0.12 or later prints: it is version 4'
          : 'update cf-waf-migrate; until then, pass a state that a Terraform of format version 4 wrote',
    },
  );
}

/**
 * Checks that a parsed document is a state of format version 4, and reads what it says about
 * itself. Terraform reads a state without lineage or serial, too.
 *
 * @throws MigrationError STATE_ENCRYPTED, STATE_VERSION_UNSUPPORTED, STATE_INVALID
 */
export function readStateHead(document: unknown): StateHead {
  if (!isJsonObject(document)) {
    throw noState('this is JSON, but not a Terraform state: it is no object');
  }
  refuseOtherKinds(document);
  refuseOtherVersions(document);
  if (resourcesOf(document) === undefined) throw noState('the state has no list of `resources`');
  const { terraform_version: terraformVersion = '', serial = 0, lineage = '' } = document;
  if (typeof terraformVersion !== 'string' || !/^[\w.+-]*$/.test(terraformVersion)) {
    throw noState('the `terraform_version` of the state is no version');
  }
  if (typeof serial !== 'number' || !Number.isSafeInteger(serial) || serial < 0) {
    throw noState('the `serial` of the state is no whole number');
  }
  if (typeof lineage !== 'string') throw noState('the `lineage` of the state is no string');
  return { terraformVersion, serial, lineage };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/json';
import { type TerraformVersion } from '../../model/terraform-version';
import { readTerraformVersion } from '../../terraform/read-terraform-version';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/state-pull';
import { journalPath } from './journal-path';

/** What Terraform was asked while the plan was still being checked. */
export interface EarlyAnswers {
  /** The bytes of the state of a folder; undefined where it was not asked, or the answer is too old. */
  readonly state: (dir: string) => Promise<Buffer> | undefined;
  /** Of the binary; undefined where no step depends on it. */
  readonly version: Promise<TerraformVersion | undefined> | undefined;
}

/**
 * Asks Terraform for what every run begins with, before the plan is checked in full: that takes as long,
 * and nothing is changed by asking. A plan that is refused afterwards is refused all the same. What
 * another run of the plan did meanwhile stands in its journal: then the states are pulled again.
 *
 * @param document the saved plan, as it was read
 * @param folder of the plan
 */
export function askEarly(
  document: unknown,
  folder: string,
  terraform: Omit<TerraformOptions, 'dir'>,
): EarlyAnswers {
  const plan = isJsonObject(document) ? document : {};
  const { digest } = plan;
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) {
    return { state: () => undefined, version: undefined };
  }
  const journal = join(folder, journalPath(digest));
  const before = textOf(journal);
  const dirs = objects(plan['states']).flatMap(({ dir }) => (typeof dir === 'string' ? [dir] : []));
  const pulls = new Map(
    [...new Set(dirs)].map((dir) => [
      dir,
      quietly(statePull({ ...terraform, dir: join(folder, dir) })),
    ]),
  );
  const asksBinary = objects(plan['steps']).some(({ kind }) => kind === 'apply-blocks');
  return {
    state: (dir) => (textOf(journal) === before ? pulls.get(dir) : undefined),
    version: asksBinary ? quietly(readTerraformVersion({ ...terraform, dir: folder })) : undefined,
  };
}

/** A failure is told to who awaits it; where nobody does, another one was told before. */
function quietly<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { atMost } from '../../model/at-most';
import { isIdentifier } from '../../model/identifier';
import { type JsonValue, objectOf, objectsOf } from '../../model/json';
import { type TerraformVersion } from '../../model/terraform-version';
import { tried } from '../../model/tried';
import { digestOf } from '../../plan/plan-digest';
import { readTerraformVersion } from '../../terraform/read-terraform-version';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { PULLS_AT_ONCE, statePull } from '../../terraform/state-pull';
import { journalPath } from '../journal/journal-path';

/** A ruleset that a plan counts on, and its zone. */
export interface CountedOn {
  readonly zoneId: string;
  readonly ruleset: { readonly id: string };
}

/** Asks the service whether rulesets are live. */
export type RulesetCheck = (zones: readonly CountedOn[]) => Promise<void>;

/** What Terraform and the service were asked while the plan was still being checked. */
export interface EarlyAnswers {
  /** The bytes of the state of a folder; undefined where it was not asked, or the answer is too old. */
  readonly state: (dir: string) => Promise<Buffer> | undefined;
  /** Of the binary; undefined where no step depends on it. */
  readonly version: Promise<TerraformVersion | undefined> | undefined;
  /** Whether the rulesets are live; undefined where it was not asked: of a plan that was begun it is not. */
  readonly rulesets: Promise<void> | undefined;
}

/**
 * Asks for what every run begins with, before the plan is checked in full: that takes as long,
 * and nothing is changed by asking. The service is the furthest: it is asked before a process is started.
 * A plan that is refused afterwards is refused all the same; of one whose digest differs nothing is asked.
 * What another run of the plan did meanwhile stands in its journal: then the states are pulled again.
 *
 * @param document the saved plan, as it was read
 * @param folder of the plan
 */
export async function askEarly(
  document: unknown,
  folder: string,
  terraform: Omit<TerraformOptions, 'dir'>,
  checkRulesets?: RulesetCheck,
): Promise<EarlyAnswers> {
  const plan = objectOf(document);
  const { digest } = plan;
  // milliseconds: in folders of a plan that was edited by hand, or is nested deeper than any, nothing is started
  if (typeof digest !== 'string' || digest !== tried(() => digestOf(plan))) {
    return { state: () => undefined, version: undefined, rulesets: undefined };
  }
  const journal = join(folder, journalPath(digest));
  const written = (): string => tried(() => readFileSync(journal, 'utf8')) ?? '';
  const before = written();
  const zones = countedOn(plan['zones']);
  const asks = before === '' && zones.length > 0 && checkRulesets !== undefined;
  const rulesets = asks ? quietly(checkRulesets(zones)) : undefined;
  // one turn to connect, one to write
  for (let turn = 0; asks && turn < 2; turn += 1) await setImmediate();
  const dirs = objectsOf(plan['states']).flatMap(({ dir }) =>
    typeof dir === 'string' ? [dir] : [],
  );
  const inTurn = atMost(PULLS_AT_ONCE);
  const pulls = new Map(
    [...new Set(dirs)].map((dir) => [
      dir,
      quietly(inTurn(() => statePull({ ...terraform, dir: join(folder, dir) }))),
    ]),
  );
  const asksBinary = objectsOf(plan['steps']).some(({ kind }) => kind === 'apply-blocks');
  return {
    state: (dir) => (written() === before ? pulls.get(dir) : undefined),
    version: asksBinary ? quietly(readTerraformVersion({ ...terraform, dir: folder })) : undefined,
    rulesets,
  };
}

/** A failure is told to who awaits it; where nobody does, another one was told before. */
function quietly<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

/** None at all where one of them is not what a plan holds: a path of the service is made of it. */
function countedOn(value: JsonValue | undefined): CountedOn[] {
  const zones = objectsOf(value);
  const known = zones.flatMap(({ zoneId, ruleset }) => {
    const { id } = objectOf(ruleset);
    const isKnown = typeof zoneId === 'string' && isIdentifier(zoneId) && typeof id === 'string';
    return isKnown ? [{ zoneId, ruleset: { id } }] : [];
  });
  return known.length === zones.length ? known : [];
}

import { join } from 'node:path';
import { applyPlan } from '../../actions/apply/apply-plan';
import { isRolledBack, journalPath, openJournal } from '../../actions/journal/journal';
import { requireLiveRulesets } from '../../actions/preflight/require-live';
import { type FleetZone } from '../../fleet/resolve-zones';
import { counted } from '../../model/counted';
import { findingCodes } from '../../model/render-findings';
import { printable } from '../../model/printable';
import { tried } from '../../model/tried';
import { openDecisions } from '../../plan/open-decisions';
import { type AcceptOptions } from '../accept-option';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { requireAccepted } from '../consent';
import { NOTHING_DONE, withDecisions } from '../plan-decisions';
import { stepReporter } from '../report-steps';
import { type ServiceOptions } from '../service-options';
import { type TerraformFlags, terraformOptions } from '../terraform-options';
import { type ApplyManyOptions } from './apply-many-options';
import { forPlans } from './for-plans';
import { confirmList, readWaves } from './wave-options';

type Options = ApplyManyOptions & AcceptOptions & ServiceOptions & TerraformFlags & CommonOptions;

/**
 * `apply` for the plans of many zones: in waves, each with its own journal and backups.
 * @param operand a plan, or a folder of plans
 * @throws MigrationError `DECLINED`, and as `forPlans`
 */
export async function applyMany(
  options: Options,
  context: CliContext,
  operand: string,
  only: 'edits' | undefined,
): Promise<CommandResult> {
  const terraform = terraformOptions(options, context);
  return forPlans(options, context, operand, {
    stage: 'apply',
    request: only === undefined ? {} : { only },
    inWaves: async (groups) => {
      requireAccepted(
        groups.flatMap(({ plan: { plan } }) => openDecisions(plan, NOTHING_DONE)),
        options,
      );
      const zones = groups.flatMap((group) => group.zones);
      const digests = new Map(
        groups.flatMap((group) => group.zones.map(({ id }) => [id, group.plan.digest])),
      );
      const question = `${counted(groups.length, 'plan')} for ${counted(zones.length, 'zone')} will be carried out.`;
      const detail = ({ id }: FleetZone): string => ` ${digests.get(id) ?? ''}`;
      // what waits for a person waits as planned: that is no alarm
      const waves = readWaves(options, zones, (outcome) => outcome === 'failed', context);
      await confirmList(question, zones, options, context, detail);
      return waves;
    },
    holds: ({ folder, digest }) => {
      // where it cannot be read that plan alone fails, with what is wrong with its journal
      const journal = tried(() => openJournal(join(folder, journalPath(digest))));
      return journal !== undefined && !isRolledBack(journal.entries);
    },
    perform: async ({ plan: { plan, folder, file, digest } }, { client, alone }) => {
      const { steps, journal, backup, findings } = await applyPlan({
        plan,
        folder,
        terraform,
        only,
        fault: context.fault,
        report: alone ? stepReporter(plan.steps.length, options, context) : () => undefined,
        checkRulesets:
          client === undefined ? undefined : () => requireLiveRulesets(plan.zones, client),
      });
      const open = steps.filter(({ status }) => status === 'waiting' || status === 'due');
      const [first] = open;
      const next = plan.steps.find(({ id }) => id === first?.id);
      const of = `of ${printable(file, 200)}`;
      const standing =
        next === undefined
          ? `all ${steps.length} steps ${of} are done`
          : `step ${next.id} ${of} is open: ${printable(next.title, 120)}`;
      const told = withDecisions(
        {
          ...{ plan: file, digest, journal, backup, open: open.map(({ id }) => id) },
          ...(findings !== undefined && { findings }),
        },
        plan,
        new Set(steps.filter((step) => !open.includes(step)).map(({ id }) => id)),
      );
      const codes = findingCodes(told.findings ?? []);
      const line = codes === '' ? standing : `${standing}: ${codes}`;
      return { json: told, text: line, line, exitCode: open.length === 0 ? 0 : 2 };
    },
  });
}

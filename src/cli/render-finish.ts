import { relative } from 'node:path';
import { type FinishResult } from '../actions/finish-conclude';
import { importCommands } from '../actions/import-commands';
import { type NamedZone } from '../cloudflare/zones';
import { printable } from '../model/printable';
import { renderFindings } from '../model/render-findings';
import { type CliContext } from './context';
import { type ZoneResult } from './fleet/run-groups';

/** The ruleset is not what was sent, or what this run was given: a person has to look. */
const DIFFERENCES = new Set(['ENTRY_POINT_DIFFERS', 'STACK_DIFFERS', 'STANDING_RULE_NOT_IN_FILE']);

/** What was given with the command that concerns what it says. */
interface FinishShown {
  readonly address: string;
  readonly accept?: readonly string[];
  readonly quiet?: boolean;
}

/** What `finish` says of a zone: which WAF is on now, and how to go on. */
export function renderFinish(
  result: FinishResult,
  zone: NamedZone,
  { address, accept = [], quiet = false }: FinishShown,
  { cwd }: CliContext,
): ZoneResult {
  const { migrationState, ruleset, moved, findings, oldWaf, newWaf } = result;
  const backup = result.backup === undefined ? undefined : relative(cwd, result.backup);
  const json = { ...result, ...(backup === undefined ? {} : { backup }) };
  // else a notice has named the file before the call
  const saved =
    quiet && backup !== undefined ? [`The old settings are saved in ${printable(backup)}.`] : [];
  const name = printable(zone.name, 253);
  const state = `(state ${printable(migrationState, 40)})`;
  if (ruleset === undefined) {
    const waits = findings.some(({ code }) => code === 'NOTHING_IS_ON');
    const line = waits
      ? `waits until a rule of its entry point is on ${state}`
      : `is being switched by the service ${state}`;
    const text = [
      `Zone ${name} ${line}: old WAF ${oldWaf}, new WAF ${newWaf} meanwhile.`,
      ...saved,
      ...(waits ? [] : ['Run the same command again later: it goes on from where the zone is.']),
    ];
    return { json, text: [...text, ...renderFindings(findings)].join('\n'), line, exitCode: 2 };
  }
  const differs = findings.some(({ code }) => DIFFERENCES.has(code) && !accept.includes(code));
  const lacks = findings.find(({ code }) => code === 'ZONE_UNPROTECTED');
  const now =
    lacks === undefined ? `the old WAF is off, the new one ${newWaf}` : 'neither WAF is on';
  const lines = [
    `Zone ${name} has moved: ${now} ${state}.`,
    `Its entry point is ruleset ${ruleset.id}.`,
    ...saved,
    ...renderFindings(findings),
    'Next: import the ruleset, then take the old resources out of the state:',
    ...importCommands(zone.id, ruleset.id, address).map((command) => `  ${command}`),
    `  cf-waf-migrate plan --zone ${zone.id} --ruleset-id ${ruleset.id} --dir <folder>`,
  ];
  const line = [
    `has moved: ruleset ${ruleset.id}`,
    ...(differs ? ['which differs from what was sent or given'] : []),
    ...(lacks === undefined ? [] : [`${now}: ${lacks.code}`]),
  ].join(', ');
  const done = moved && !differs && (lacks === undefined || lacks.severity === 'info');
  return { json, text: lines.join('\n'), line, exitCode: done ? 0 : 2 };
}

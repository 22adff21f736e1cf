import { nextCommands } from '../../support/next-commands';
import { type ToolRun } from '../layer';
import { type World } from '../world';

/**
 * The command line that an error proposes, without the name of the tool. It can be a full command, or the last one
 * repeated or with other flags.
 */
export function proposedBy(
  hint: string,
  last: readonly string[],
  { zones, folders, root }: World,
): string[] | undefined {
  const [, command] = /cf-waf-migrate ([a-z][^`;,:]*)/.exec(hint) ?? [];
  const [zone] = zones;
  const words = command
    ?.replaceAll(`${root}/`, '')
    .replace(/<name of the zone>/g, zone!.name)
    .replace(/<(zone|id)>/g, zone!.id)
    .replace(/<folder>/g, folders[0]!.dir)
    .replace(/PLAN/g, 'plan.json')
    .replace(/'/g, '')
    .trim()
    .split(/ +/);
  const isWhole = words?.every((word) => /^[\w./@=-]+$/.test(word) && word !== '--help') ?? false;
  if (words !== undefined && isWhole && !NO_COMMANDS.has(words[0]!)) return complete(words);
  const [, flag, value] = /pass (--force|--accept) ?([A-Z_]+)?/.exec(hint) ?? [];
  if (flag !== undefined) return [...last, flag, ...(value === undefined ? [] : [value])];
  if (/leave out --method/.test(hint)) return without(last, '--method');
  return /same (cf-waf-migrate )?command again|run the command again/.test(hint)
    ? [...last]
    : undefined;
}

/** The command lines that the text of a run proposes, in its order, without the name of the tool. */
export function proposalsOf(
  line: string,
  { code, stdout, stderr }: ToolRun,
  world: World,
): string[] {
  const [, confirm] = /--confirm (\d+:\w+|\S+\.example\.com)/.exec(stderr) ?? [];
  if (code === 3 && confirm !== undefined)
    return [`${line.replace(/ --confirm \S+/, '')} --confirm ${confirm}`];
  const accepted = stderr.match(/--accept [A-Z_]+/g)?.filter((one) => !line.includes(one)) ?? [];
  if (code === 3) return [[line, ...new Set(accepted)].join(' ')];
  const shown = stdout.match(/(?<=To see it: cf-waf-migrate )(apply|rehearse|verify) \S+json/g);
  const next = nextCommands(stdout).map((one) => one.replace('cf-waf-migrate ', ''));
  const lines = [...next, ...(shown ?? [])].map((one) => one.replaceAll("'", ''));
  const [, hint = ''] = /hint: ([^]*)$/.exec(stderr) ?? [];
  if (code !== 1 || lines.length > 0) return lines;
  const proposed = proposedBy(hint, line.split(' '), world) ?? [];
  const words = proposed.filter((word) => word !== '--json' && word !== '--yes');
  return words.length === 0 ? [] : [words.join(' ')];
}

/** The text `cf-waf-migrate command again`, and a command outside the migration that changes the zone. */
const NO_COMMANDS = new Set(['command', 'firewall']);

function complete([command = '', ...words]: readonly string[]): string[] {
  const flags = ['--json', ...(['apply', 'rollback'].includes(command) ? ['--yes'] : [])];
  const missing = flags.filter((flag) => !words.includes(flag));
  // after `--` come the flags for Terraform
  const end = words.indexOf('--');
  return [command, ...words.toSpliced(end === -1 ? words.length : end, 0, ...missing)];
}

function without(args: readonly string[], flag: string): string[] {
  const at = args.indexOf(flag);
  return at === -1 ? [...args] : args.toSpliced(at, 2);
}

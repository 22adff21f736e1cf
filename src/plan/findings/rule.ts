import { type Finding, type Severity } from '../../core/finding';
import { printable } from '../../core/printable';
import { type Facts } from '../facts/facts';
import { withCommand } from '../formats/render-command';

/** A command follows the remedy: `line` if it has a placeholder or a workspace. */
export type Detail = Pick<Finding, 'subject' | 'message' | 'remedy' | 'command'> & {
  readonly line?: string | undefined;
};

/** A row of the table in docs/plan-format.md. */
export interface Rule<Of> {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly find: (of: Of) => readonly Finding[];
}

export function finding<Of = Facts>(
  code: string,
  severity: Severity,
  title: string,
  details: (of: Of) => Detail | readonly Detail[],
): Rule<Of> {
  const find = (of: Of): Finding[] =>
    [details(of)].flat().map(({ subject, message, remedy, command, line }) => ({
      code,
      title,
      severity,
      subject: printable(subject),
      message: printable(message),
      remedy: withCommand(printable(remedy), command, line),
      ...(command && { command }),
    }));
  return { code, severity, title, find };
}

/** A rule about each object that is selected from the facts. */
export const each = <Item, Of = Facts>(
  rule: Rule<Item>,
  select: (of: Of) => readonly Item[],
): Rule<Of> => ({ ...rule, find: (of) => select(of).flatMap((one) => rule.find(one)) });

/** One detail about all items, or none if there are no items. */
export function oneFinding<Item>(
  items: readonly Item[],
  detail: (items: readonly Item[]) => Detail,
): readonly Detail[] {
  return items.length === 0 ? [] : [detail(items)];
}

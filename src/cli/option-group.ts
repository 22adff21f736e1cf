import { type Command as Commander, Help } from 'commander';

/** Adds flags that stand under a heading of their own in the help. */
export function inGroup(
  command: Commander,
  heading: string,
  define: (command: Commander) => Commander,
): Commander {
  return define(command.optionsGroup(`${heading}:`)).optionsGroup('');
}

/** Puts the flags of the command itself in front of those that it shares with others. */
export const ownFlagsFirst: Pick<Help, 'groupItems'> = {
  groupItems: (unsorted, visible, groupOf) => {
    const groups = [...new Help().groupItems(unsorted, visible, groupOf)];
    const isOwn = ([heading]: (typeof groups)[number]): boolean => heading === 'Options:';
    return new Map([...groups.filter(isOwn), ...groups.filter((group) => !isOwn(group))]);
  },
};

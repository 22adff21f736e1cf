import { type SuccessorAnswer } from '../catalogue/find-successor';
import { type OldAction } from './modes';
import { type ReadContext } from './read-context';
import { type GroupOff } from './read-groups';
import { type RuleRequest } from './read-rules';

/** What the settings ask of one old rule, the state of its group included. */
export interface OldState {
  readonly legacyId: string;
  readonly request: RuleRequest | undefined;
  readonly group: GroupOff | undefined;
  readonly enabled: boolean;
  readonly action: OldAction | undefined;
  readonly answer: SuccessorAnswer;
}

/** What becomes of each old rule that is set, or whose group is off, by its id. */
export function oldStates(
  context: ReadContext,
  requests: readonly RuleRequest[],
  groups: readonly GroupOff[],
): Map<string, OldState> {
  const groupOf = new Map<string, GroupOff>();
  for (const group of groups) for (const id of group.members.ids) groupOf.set(id, group);
  const states = new Map<string, OldState>();
  const add = (legacyId: string, request: RuleRequest | undefined): void => {
    const group = groupOf.get(legacyId);
    const meaning = request?.meaning;
    states.set(legacyId, {
      legacyId,
      request,
      group,
      enabled: group === undefined && meaning?.kind !== 'off',
      action: meaning?.kind === 'act' ? meaning.action : undefined,
      answer: context.successorOf(legacyId),
    });
  };
  for (const request of requests) add(request.legacyId, request);
  for (const id of groupOf.keys()) if (!states.has(id)) add(id, undefined);
  return states;
}

/** The new rules that an old one became; none where that is not known. */
export function newIds({ answer }: OldState): readonly string[] {
  return answer.kind === 'known' ? answer.ids : [];
}

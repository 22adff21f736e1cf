import { compareTexts } from '../model/compare-texts';

/** The commands in the order in which a zone goes through them. */
const WAY = [
  'check',
  'fetch-config',
  'generate',
  'finish',
  'status',
  'report',
  'plan',
  'rehearse',
  'apply',
  'verify',
];

/** Compares two stages of a ledger by the way of a zone; what is not known comes last. */
export function compareStages(one: string, other: string): number {
  return place(one) - place(other) || compareTexts(one, other);
}

function place(stage: string): number {
  const at = WAY.indexOf(stage);
  return at === -1 ? WAY.length : at;
}

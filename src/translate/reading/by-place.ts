import { compareTexts } from '../../model/compare-texts';

/** The order of everything that is listed: by where it was read, whatever the order of the input. */
export function byPlace<T extends { readonly from: string }>(things: readonly T[]): T[] {
  return [...things].sort((a, b) => compareTexts(a.from, b.from));
}

import { resolve } from 'node:path';

/** Something to copy. */
export interface Part {
  /** Where it is: of a folder that holds configuration the real path, from which Terraform reckons. */
  readonly from: string;
  /** Where it lies as those name it who call it, links not followed: there it lies in the copy. */
  readonly place: string;
}

/** What lies there as seen from a folder: beside its copy it lies likewise. */
export function seenFrom({ from, place }: Part, path: string): Part {
  return { from: resolve(from, path), place: resolve(place, path) };
}

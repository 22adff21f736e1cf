/** Something that refers to a block that is to go: Terraform refuses the configuration without it. */
export interface Reference {
  /**
   * What goes, as the place calls it: `cloudflare_waf_rule.a`, `module.zones.rule_ids`;
   * `module.zones.*` where a module is read as a whole, of which an output breaks.
   */
  readonly address: string;
  /** Who refers to it: `output.ids`, `local.ids`, `cloudflare_zone.z`, `moved`. */
  readonly from: string;
  readonly file: string;
  /** Counted from 1, as the column (in UTF-16 units). */
  readonly line: number;
  readonly column: number;
  /**
   * The reference as it is written, or the head of a block: hostile text, but not the whole line,
   * on which a secret could stand.
   */
  readonly text: string;
}

import { type PathCount, type Sample } from '../comparison';

/** Why a change is proposed: what was seen. */
export interface Evidence {
  /** The rule of which it was seen, old or new. */
  readonly ruleId: string;
  readonly name: string;
  readonly requests: number;
  readonly share: number;
  readonly clients: number;
  readonly paths: readonly PathCount[];
  readonly samples: readonly Sample[];
}

interface Common {
  readonly evidence: Evidence;
  /** For a reader. */
  readonly why: string;
}

/** One change of the configuration. */
export type ProposedChange = Common &
  (
    | {
        /** An override that lets a managed rule log only. */
        readonly kind: 'log';
        readonly rulesetId: string;
        readonly ruleId: string;
      }
    | {
        /** An override that lets the successor of an old rule do what the old one did. */
        readonly kind: 'enable';
        readonly rulesetId: string;
        readonly ruleId: string;
        readonly action: 'block' | 'managed_challenge';
      }
    | {
        /** An exception for one managed rule. */
        readonly kind: 'skip';
        readonly rulesetId: string;
        readonly ruleId: string;
        readonly expression: string;
      }
    | {
        /** A rule of the zone's own. */
        readonly kind: 'custom';
        readonly action: 'block' | 'managed_challenge';
        readonly expression: string;
        /** How many of the seen requests it certainly meets. */
        readonly covers: number;
        readonly enabled: boolean;
      }
  );

/** Something that was seen and for which no change could be written. */
export interface NotProposed {
  readonly ruleId: string;
  readonly requests: number;
  readonly why: string;
}

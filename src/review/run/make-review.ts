import { resolve } from 'node:path';
import { type Client } from '../../cloudflare/client';
import { type RateLimiter } from '../../cloudflare/rate-limiter';
import { type TimeSpan } from '../../cloudflare/security-events';
import { type Ruleset } from '../../core/ruleset';
import { type Review } from '../review';
import { type ZoneRule } from '../rule-names';
import { builtInCatalogue } from '../../translate/catalogue/built-in-catalogue';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { readSavedRuleset } from '../../generate/write/read-saved-ruleset';
import { reviewEvents, type ReviewInput } from './review-events';
import { knowledgeOf, readZoneKnowledge } from './review-knowledge';
import { reviewResult } from './review-result';

/** What is compared: files of events, or a result table that another engine made. */
export interface ReviewOrder extends Omit<ReviewInput, 'request'> {
  /** A saved answer or a proposal: what the zone shall have. */
  readonly configFile?: string | undefined;
  /** A result table instead of events. */
  readonly resultFile?: string | undefined;
  /** The service, where it is asked for the zone; with a span, for the events as well. */
  readonly service?: {
    readonly client: Client;
    readonly zoneId: string;
    readonly span?: TimeSpan;
    readonly limiter: RateLimiter;
  };
}

/** A review and what it stands on beside the events. */
export interface MadeReview {
  readonly review: Review;
  readonly config: Ruleset | undefined;
  readonly catalogue: Catalogue;
  readonly zoneRules: readonly ZoneRule[];
}

/**
 * Makes a review.
 * @throws MigrationError those of `reviewEvents` and `reviewResult`, of the client, and for the
 *   configuration `FILE_UNREADABLE`, `RULESET_INVALID`, `RULESET_EMPTY`
 */
export async function makeReview(order: ReviewOrder): Promise<MadeReview> {
  const { configFile, resultFile, service, cwd } = order;
  const zone =
    service === undefined ? undefined : await readZoneKnowledge(service.client, service.zoneId);
  const config =
    configFile === undefined
      ? zone?.config
      : (await readSavedRuleset(resolve(cwd, configFile), 'auto')).ruleset;
  const catalogue = builtInCatalogue();
  const zoneRules = zone?.zoneRules ?? [];
  const knowledge = knowledgeOf(catalogue, config, zoneRules);
  const request = service?.span === undefined ? undefined : { ...service, span: service.span };
  const review =
    resultFile === undefined
      ? await reviewEvents(
          {
            ...order,
            zoneName: order.zoneName ?? zone?.name,
            ...(request === undefined ? {} : { request }),
          },
          knowledge,
        )
      : await reviewResult(resolve(cwd, resultFile), knowledge);
  return { review, config, catalogue, zoneRules };
}

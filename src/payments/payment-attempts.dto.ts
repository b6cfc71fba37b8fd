import { ApiEnum } from '../openapi/api-field.js';
import { CardFactsDto } from '../flows/definition/payment-method.dto.js';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from './money/state/attempt.js';
import type { AttemptRow } from './ledger/attempt.queries.js';
import { ShopReferenceDto } from './ledger/payments.dto.js';

/** One attempt of a payment with one shop. */
export class PaymentAttemptDto {
  /** From 1. @example 1 */
  number: number;
  shop: ShopReferenceDto;
  /** @example "sandbox" */
  provider: string;
  /** The provider's id of the transaction; `null`: not known. @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  provider_transaction_id: string | null;
  /** `null`: under way, or its process died; `unknown`: no answer in time. @example "soft_declined" */
  @ApiEnum('AttemptOutcome', ATTEMPT_OUTCOMES)
  outcome: AttemptOutcome | null;
  /** Why it was declined; `null`: it was not, or the provider gave no reason. @example "issuer_unavailable" */
  decline_code: string | null;
  /** The provider's facts about the card; `null`: it gave none. */
  card: CardFactsDto | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  started_at: string;
  /** When the outcome became known; `null`: not yet. @example "2026-11-21T01:02:03.789Z" */
  ended_at: string | null;

  static from(row: AttemptRow): PaymentAttemptDto {
    return {
      number: row.number,
      shop: { id: row.shop_id, name: row.shop_name },
      provider: row.provider,
      provider_transaction_id: row.provider_transaction_id,
      outcome: row.outcome,
      decline_code: row.decline_code,
      card: row.card,
      started_at: row.started_at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
    };
  }
}

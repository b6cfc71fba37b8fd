import { ApiProperty } from '@nestjs/swagger';
import { ApiDecimal, ApiEnum, ENUM_NAME } from '../openapi/api-field.js';
import { schemaRef } from '../openapi/schemas.js';
import { RolloutChoiceDto } from '../flows/routing/rollout-choice.dto.js';
import { type DecisionTrace, type Reasoning, TEST_NAMES, type TestName } from '../flows/routing/decision-trace.js';
import type { StrategyName } from '../flows/definition/definition.js';
import { CardFactsDto } from '../flows/definition/payment-method.dto.js';
import { RuleDeclineDto } from '../flows/definition/rule-decline.dto.js';
import type { AttemptOutcome } from './ledger/attempt.js';
import type { AttemptRow } from './ledger/attempt.queries.js';
import { ShopReferenceDto } from './ledger/payments.dto.js';

const ROUTING_TEST = { [ENUM_NAME]: 'RoutingTest' };

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
  @ApiEnum('AttemptOutcome', ['approved', 'processing', 'declined', 'soft_declined', 'unavailable', 'unknown'])
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

/** The test payment of a shop that is recovering. */
export class DecisionProbeDto {
  /** @example 3 */
  shop_id: number;
  /** Whether the shop got the payment. @example false */
  let_through: boolean;
}

/** A stored routing decision. A shop passed every test that it is not listed for in `failed`. */
export class PaymentDecisionDto implements DecisionTrace {
  /** @example 3 */
  flow_version: number | null;
  /** Absent: no rollout chose the version. */
  rollout?: RolloutChoiceDto;
  /** @example "round_robin" */
  strategy: StrategyName;
  /** The known customer; absent: none, or a new one without an id. @example 7 */
  customer_id?: number;
  /** The payment is authorised first; absent: it is captured with the charge. @example "manual" */
  capture?: 'manual';
  /** For the strategy `rules`: the index of the rule that decided, or `default`. @example 0 */
  @ApiProperty({
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', enum: ['default'] },
    ],
  })
  rule?: number | 'default';
  /** Every shop of the flow, in order of priority, then id. @example [1, 2, 3] */
  shops: number[];
  /** The tests that excluded a shop, by shop id. @example { "3": ["currency"] } */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string', enum: [...TEST_NAMES], ...ROUTING_TEST } },
  })
  failed: Record<string, TestName[]>;
  /** `null`: the rule declined the payment. @example 2 */
  picked: number | null;
  /** The decline of the rule; absent: it did not decline the payment. */
  declined?: RuleDeclineDto;
  /**
   * How likely this shop was among the shops that could have taken the payment, by rotation, weights and chance.
   * Absent: no shop was picked, or the decision is of an older release. @example 0.5
   */
  @ApiDecimal()
  probability?: number;
  /** The order in which other shops would be tried after it. @example [1] */
  fallbacks: number[];
  /** The values that the strategy used. @example { "by": "round_robin", "counter": 41, "position": 1, "of": 2 } */
  @ApiProperty({ allOf: [schemaRef('Reasoning')] })
  reasoning?: Reasoning;
  /** No shop was healthy: the one with the fewest failures was picked. */
  least_bad?: true;
  /** The recovering shops that could have been picked; absent: none. @example [3] */
  probing?: number[];
  /** The recovering shop that was next for a test payment, and whether it got the payment. */
  probed?: DecisionProbeDto;
}

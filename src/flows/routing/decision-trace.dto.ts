import { ApiProperty } from '@nestjs/swagger';
import { ApiDecimal, ENUM_NAME } from '../../openapi/api-field.js';
import { schemaRef } from '../../openapi/schemas.js';
import type { StrategyName } from '@payment-orchestrator/routing/definition/definition';
import { RuleDeclineDto } from '../definition/rule-decline.dto.js';
import {
  type DecisionTrace,
  type Reasoning,
  TEST_NAMES,
  type TestName,
} from '@payment-orchestrator/routing/decision/decision-trace';
import { RolloutChoiceDto } from './rollout-choice.dto.js';

const ROUTING_TEST = { [ENUM_NAME]: 'RoutingTest' };

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
  /** The rules before it that match, but none of whose shops could take the payment; absent: none. @example [0] */
  @ApiProperty({ type: 'integer', isArray: true })
  passed_over?: number[];
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

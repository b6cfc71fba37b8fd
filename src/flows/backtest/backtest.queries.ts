import type { Statement } from '../../platform/database/database.js';
import type { CaptureMode } from '../../shared/capture-mode.js';
import type { PaymentMethodFacts } from '../../shared/payment-method.js';
import type { DecisionTrace } from '../routing/decision-trace.js';

/** A position among a flow's payments, in the order of their creation. */
export interface PaymentPosition {
  created_at: Date;
  id: number;
}

/** The newest payment beyond the limit, if any: $1 flow, $2 from, $3 before, $4 limit. */
export const LAST_PAYMENT_LEFT_OUT: Statement = {
  name: 'last_payment_left_out',
  text: `
    SELECT created_at, id FROM payments
    WHERE flow_id = $1 AND created_at >= $2 AND created_at < $3
    ORDER BY created_at DESC, id DESC OFFSET $4 LIMIT 1`,
};

export interface PastPaymentRow {
  id: number;
  created_at: Date;
  amount: number;
  currency: string;
  country: string | null;
  customer_id: number | null;
  metadata: Record<string, unknown> | null;
  payment_method: PaymentMethodFacts | null;
  capture: CaptureMode;
  shop_id: number;
  status: string;
  /** The number of the current or last attempt, from 1. */
  attempt: number;
  /** `null`: a payment of a release that did not store decisions. */
  decision: DecisionTrace | null;
}

/**
 * A batch of past payments: $1 flow, $2 and $3 the position to start after, $4 before, $5 number of rows. Decisions are
 * returned unparsed: parsing them in SQL takes as long as all other work of a backtest.
 */
export const pastPayments = ({ withMetadata }: { withMetadata: boolean }): Statement => ({
  name: `past_payments${withMetadata ? '_with_metadata' : ''}`,
  text: `
    SELECT id, created_at, amount::float8 AS amount, currency, country, customer_id, capture,
      payment_method, ${withMetadata ? 'metadata' : 'NULL AS metadata'}, shop_id, status,
      attempt, decision
    FROM payments
    WHERE flow_id = $1 AND (created_at, id) > ($2, $3) AND created_at < $4
    ORDER BY created_at, id LIMIT $5`,
});

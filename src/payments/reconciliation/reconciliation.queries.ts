import type { Statement } from '../../platform/database/database.js';
import type { PaymentStatus } from '../ledger/payment-state.js';

export interface ShopRow {
  id: number;
  merchant_id: number;
  provider: string;
}

/** Every shop, disabled ones included: their charges count too. */
export const LIST_SHOPS: Statement = {
  name: 'reconciliation.list_shops',
  text: 'SELECT id, merchant_id, provider FROM shops ORDER BY id',
};

/** Our record of a reference. */
export interface KnownCharge {
  reference: string;
  payment_id: number;
  attempt: number;
  status: PaymentStatus;
  /** The payment is still at this attempt. */
  is_current: boolean;
  /** An operation of the payment is open, and recovery still asks about it. */
  is_open: boolean;
}

/** Our records of the references $1. */
export const FIND_CHARGES: Statement = {
  name: 'reconciliation.find_charges',
  text: `SELECT a.reference, a.payment_id, a.number AS attempt, p.status, a.number = p.attempt AS is_current,
      EXISTS (SELECT FROM provider_operations o WHERE o.payment_id = p.id
        AND o.state IN ('open', 'pending', 'unknown') AND o.next_try_at IS NOT NULL) AS is_open
    FROM payment_attempts a JOIN payments p ON p.id = a.payment_id
    WHERE a.reference = ANY ($1::text[])`,
};

import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import type { PaymentStatus } from '../money/state/payment-state.js';
import { NEXT_TRY_AT } from './operation.queries.js';

/** An attempt of an archived payment: what remains of it. */
export interface ArchivedChargeRow {
  payment_id: number;
  attempt: number;
  /** The payment's. */
  status: PaymentStatus;
  /** It is the payment's last attempt. */
  is_current: boolean;
}

const COLUMNS = 'payment_id, attempt, status, is_current';

const isText = (column: string, value: string): string =>
  `hashtextextended(${column}, 0) = hashtextextended(${value}, 0) AND ${column} = ${value}`;

/** By our reference, else by the provider's transaction id: $1 shop, $2 reference, $3 transaction id; each may be null. */
export const FIND_ARCHIVED_CHARGE: Statement = {
  name: 'archived_charges.find',
  text: `SELECT ${COLUMNS} FROM archived_charges WHERE ${isText('reference', '$2::text')} AND shop_id = $1
    UNION ALL
    SELECT ${COLUMNS} FROM archived_charges
    WHERE shop_id = $1 AND ${isText('transaction_id', '$3::text')}
    LIMIT 1`,
};

/**
 * Stores an alarm for each archived charge that a notification without content names, once per transaction: $1 provider, $2
 * shop, $3 transaction ids, $4 now. Returns the archived charges; `is_new`: the alarm is.
 */
export const ALARM_ARCHIVED: Statement = {
  name: 'archived_charges.alarm',
  text: `WITH found AS MATERIALIZED (
      SELECT c.payment_id, c.attempt, c.status, c.transaction_id
      FROM unnest($3::text[]) AS asked (id) JOIN archived_charges c ON c.shop_id = $2 AND ${isText('c.transaction_id', 'asked.id')}
    ), added AS (
      INSERT INTO provider_notifications (provider, shop_id, notification_id, fingerprint, provider_transaction_id, payment_id,
        attempt, status, data, received_at, outcome, reason)
      SELECT $1, $2, 'archived_' || transaction_id, 'archived_' || transaction_id, transaction_id, payment_id, attempt, status, '{}',
        $4::timestamptz, 'alarm', 'payment_archived' FROM found
      ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING payment_id
    )
    SELECT payment_id, transaction_id, payment_id IN (SELECT payment_id FROM added) AS is_new FROM found`,
};

/** When a payment was archived: $1 payment, $2 merchant. */
export const FIND_ARCHIVED_PAYMENT: Statement = {
  name: 'archived_charges.find_payment',
  text: 'SELECT archived_at FROM archived_charges WHERE payment_id = $1 AND merchant_id = $2 LIMIT 1',
};

/** `KnownCharge`s of the reconciliation, for the archived ones of the references $1. */
const ARCHIVED_CHARGES_OF = `SELECT reference, payment_id, attempt, status, is_current, false AS is_open, is_returned
    FROM unnest($1::text[]) AS wanted (reference) JOIN archived_charges c USING (reference)
    WHERE hashtextextended(c.reference, 0) = hashtextextended(wanted.reference, 0)`;

/** Whether lost disputes, with refunds, have given all money of the attempt `a` of the payment `p` back to the payer. */
export const IS_RETURNED = `coalesce((SELECT sum(d.amount) FROM disputes d WHERE d.payment_id = p.id AND d.attempt = a.number
        AND d.kind <> 'inquiry' AND d.status IN ('lost', 'accepted') AND d.currency = p.currency) + p.amount_refunded
        >= CASE WHEN p.amount_captured > 0 THEN p.amount_captured ELSE p.amount END, false)`;

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
  /** Lost disputes, with refunds, have given all money of the attempt back to the payer. */
  is_returned: boolean;
}

/** $1 references. */
const FIND_CHARGES: Statement = {
  name: 'payments.find_charges',
  text: `SELECT a.reference, a.payment_id, a.number AS attempt, p.status, a.number = p.attempt AS is_current,
      EXISTS (SELECT FROM provider_operations o WHERE o.payment_id = p.id
        AND o.state IN ('open', 'pending', 'unknown') AND ${NEXT_TRY_AT} IS NOT NULL) AS is_open,
      ${IS_RETURNED} AS is_returned
    FROM payment_attempts a JOIN payments p ON p.id = a.payment_id
    WHERE a.reference = ANY ($1::text[])
    UNION ALL
    ${ARCHIVED_CHARGES_OF}`,
};

/** Charges at providers as this database knows them: all that a reconciliation may know of payments. */
@Injectable()
export class KnownCharges {
  constructor(private readonly database: Database) {}

  /** Our records of the references, of archived payments too: a charge without a record is given back. */
  find(references: string[]): Promise<KnownCharge[]> {
    return this.database.query<KnownCharge>(FIND_CHARGES, [references]);
  }
}

// The provider's side of the sandbox's books: what people do in a provider's dashboard, and what banks report later. A
// change and its notification are one transaction, and the sandbox sends the notification until it is accepted.
import { createHmac } from 'node:crypto';
import { failRefundInSandbox } from '../../test/support/ledger/sandbox-books.js';
import type { Query } from '../../test/support/ledger/ledger.js';
import type { HarnessDatabase } from '../support/harness-database.js';

export const NOTIFICATION_SECRET = 'notification-secret-of-chaos';
/** Reports of a dispute are sent within this time, in any order. */
const MAX_LATE_MS = 3_000;

export type Books = Pick<HarnessDatabase, 'query' | 'transaction'>;
type Queryable = Pick<HarnessDatabase, 'query'>;

/** A transaction as it is now. Amounts are decimal text. */
export interface HeldCharge {
  reference: string;
  transaction_id: string;
  shop_id: number;
  status: 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';
  /** A status that it will get by itself. */
  becomes: string | null;
  amount: string;
  currency: string;
  captured: string;
}

/** Statuses with a due time apply from then on, whether or not they are stored. */
const IS_SETTLED = 'settles_at <= clock_timestamp()';
const HELD = `reference, transaction_id, shop_id, amount::text AS amount, currency,
  coalesce(captured, amount)::text AS captured, CASE WHEN ${IS_SETTLED} THEN NULL ELSE settles_as END AS becomes,
  CASE WHEN ${IS_SETTLED} THEN settles_as
    WHEN status <> 'open' OR authorized_at IS NULL OR authorized_at > clock_timestamp() THEN status
    WHEN settles_as IS NULL AND capture_before <= clock_timestamp() THEN 'voided' ELSE 'authorized' END AS status`;

/** The report of a change. `inMs`: when it is sent. */
interface Report {
  id: string;
  status: string;
  inMs?: number;
  [field: string]: unknown;
}

export class ProviderBooks {
  constructor(private readonly database: Books) {}

  /** Refunds a share of the remaining amount, in a dashboard. Returns whether the provider did it. */
  refund(paymentId: number, refundId: string, share: number): Promise<boolean> {
    return this.change(paymentId, ['captured'], async (on, charge) => {
      const { reference, currency } = charge;
      const [known] = await on.query('SELECT FROM sandbox_refunds WHERE id = $1', [refundId]);
      const left = await leftOf(on, charge);
      const amount = cents(left * share);
      if (known || amount <= 0) return;
      await on.query('INSERT INTO sandbox_refunds (id, reference, amount) VALUES ($1, $2, $3)', [
        refundId,
        reference,
        amount,
      ]);
      if (amount === left) await this.refunded(on, reference);
      const report = { id: `refund-${refundId}`, status: 'refunded', operation_id: refundId, amount, currency };
      await notify(on, charge, report);
    });
  }

  /** The bank returns a refund that had succeeded. The charge holds its amount again. */
  failRefund(paymentId: number): Promise<boolean> {
    return this.change(paymentId, ['captured', 'refunded'], async (on, charge) => {
      const [refund] = await on.query<{ id: string; amount: string }>(
        `SELECT id, amount::text AS amount FROM sandbox_refunds
         WHERE reference = $1 AND (settles_at <= clock_timestamp()) IS NOT FALSE ORDER BY id LIMIT 1`,
        [charge.reference],
      );
      if (!refund) return;
      await failRefundInSandbox(queryOf(on), refund.id);
      const { id: operation_id, amount } = refund;
      const { currency } = charge;
      await notify(on, charge, {
        id: `failed-${operation_id}`,
        status: 'refund_failed',
        operation_id,
        amount,
        currency,
      });
    });
  }

  /** Captures a share of an authorisation in a dashboard; the rest is released. */
  capture(paymentId: number, share: number): Promise<boolean> {
    return this.change(paymentId, ['authorized'], async (on, charge) => {
      if (charge.becomes !== null) return;
      const { reference, currency } = charge;
      const amount = Math.max(0.01, cents(Number(charge.amount) * share));
      await this.end(on, reference, 'captured', amount);
      const report = { id: `capture-${reference}`, status: 'completed', operation_id: `sbc_${reference}` };
      await notify(on, charge, { ...report, amount, currency });
    });
  }

  /** Ends the authorisations that were not captured. */
  async lapse(): Promise<void> {
    const open = await this.database.query<{ payment_id: number }>(
      `SELECT DISTINCT payment_id FROM sandbox_transactions
       WHERE status = 'open' AND authorized_at IS NOT NULL AND settles_as IS NULL`,
    );
    for (const { payment_id: paymentId } of open) {
      await this.change(paymentId, ['authorized', 'voided'], async (on, charge) => {
        if (charge.becomes !== null) return;
        await this.end(on, charge.reference, 'voided');
        await notify(on, charge, { id: `lapse-${charge.reference}`, status: 'authorization_expired' });
      });
    }
  }

  /** Opens a dispute, and reports its steps out of order. Their times tell the order. */
  dispute(
    paymentId: number,
    disputeId: string,
    end: 'won' | 'lost' | 'accepted',
    random: () => number,
  ): Promise<boolean> {
    return this.change(paymentId, ['captured', 'refunded'], async (on, charge) => {
      const { captured: amount, currency } = charge;
      const openedAt = Date.now();
      for (const [index, status] of ['open', 'under_review', end].entries()) {
        const occurred_at = new Date(openedAt + index).toISOString();
        const dispute = { id: disputeId, kind: 'chargeback', status, amount, currency, reason_code: 'fraudulent' };
        const report = { id: `${disputeId}-${status}`, status: 'disputed', occurred_at, dispute };
        await notify(on, charge, { ...report, inMs: Math.round(random() * MAX_LATE_MS) });
      }
    });
  }

  /** The transaction with this reference. */
  async find(reference: string): Promise<HeldCharge | undefined> {
    const [charge] = await this.database.query<HeldCharge & Record<string, unknown>>(
      `SELECT ${HELD} FROM sandbox_transactions WHERE reference = $1`,
      [reference],
    );
    return charge;
  }

  /** Whether a refund with this id was made. */
  async hasRefunded(refundId: string): Promise<boolean> {
    const made = await this.database.query(
      'SELECT FROM sandbox_refunds WHERE id = $1 AND (settles_at <= clock_timestamp()) IS NOT FALSE',
      [refundId],
    );
    return made.length > 0;
  }

  /** Cancels an open transaction in a dashboard, without a report. Returns whether it can never be charged. */
  async void(reference: string): Promise<boolean> {
    return this.database.transaction(async (on) => {
      const [voided] = await on.query(
        `UPDATE sandbox_transactions SET status = 'voided', updated_at = clock_timestamp()
         WHERE reference = $1 AND status = 'open' AND settles_as IS NULL AND authorized_at IS NULL RETURNING id`,
        [reference],
      );
      if (voided) await on.query('DELETE FROM sandbox_notifications WHERE reference = $1', [reference]);
      return voided !== undefined;
    });
  }

  /** Whether the sandbox has reports to send soon. */
  async hasReports(): Promise<boolean> {
    const due = await this.database.query(
      `SELECT FROM sandbox_notifications WHERE due_at < clock_timestamp() + interval '1 minute' LIMIT 1`,
    );
    return due.length > 0;
  }

  /**
   * Runs `work` on the locked transaction of a payment that has one of these statuses. `false`: it has none. Rejects if
   * the database fails; a repeat is safe.
   */
  private change(
    paymentId: number,
    statuses: readonly HeldCharge['status'][],
    work: (on: Queryable, charge: HeldCharge) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (on) => {
      // only a statement after the lock reads what its holder has committed
      await on.query('SELECT FROM sandbox_transactions WHERE payment_id = $1 ORDER BY id FOR UPDATE', [paymentId]);
      const charges = await on.query<HeldCharge & Record<string, unknown>>(
        `SELECT ${HELD} FROM sandbox_transactions WHERE payment_id = $1`,
        [paymentId],
      );
      const charge = charges.find(({ status }) => statuses.includes(status));
      if (charge) await work(on, charge);
      return charge !== undefined;
    });
  }

  /** Withdraws the report of the lapse, too. */
  private async end(on: Queryable, reference: string, status: string, captured: number | null = null): Promise<void> {
    await on.query(
      `UPDATE sandbox_transactions SET status = $2, captured = $3::numeric, return_url = NULL,
         updated_at = clock_timestamp() WHERE reference = $1`,
      [reference, status, captured],
    );
    await on.query('DELETE FROM sandbox_notifications WHERE reference = $1', [reference]);
  }

  /** Nothing is left: the charge is refunded when its pending refunds are. */
  private async refunded(on: Queryable, reference: string): Promise<void> {
    await on.query(
      `UPDATE sandbox_transactions t SET status = CASE WHEN p.at IS NULL THEN 'refunded' ELSE 'captured' END,
         settles_as = CASE WHEN p.at IS NULL THEN NULL ELSE 'refunded' END, settles_at = p.at
       FROM (SELECT max(settles_at) FILTER (WHERE settles_at > clock_timestamp()) AS at
             FROM sandbox_refunds WHERE reference = $1) p
       WHERE t.reference = $1`,
      [reference],
    );
  }
}

/** As the helpers of the tests take it. */
const queryOf =
  (on: Queryable): Query =>
  <Row extends object>(text: string, values?: unknown[]) =>
    on.query<Row & Record<string, unknown>>(text, values);

/** The captured amount without all refunds, pending ones included, in units of the currency. */
async function leftOf(on: Queryable, { reference, captured }: HeldCharge): Promise<number> {
  const [row] = await on.query<{ sum: string }>(
    'SELECT coalesce(sum(amount), 0)::text AS sum FROM sandbox_refunds WHERE reference = $1',
    [reference],
  );
  return cents(Number(captured) - Number(row!.sum));
}

/** Rounded to cents: the amounts of a run are below 1,000, so doubles are exact enough. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Stores a signed report as the sandbox does. Its prefix says that the books need not follow it. */
async function notify(on: Queryable, charge: HeldCharge, { id, inMs = 0, ...report }: Report): Promise<void> {
  const { reference, transaction_id: provider_transaction_id, shop_id: shopId } = charge;
  const body = JSON.stringify({ id: `sbn_${id}`, provider_transaction_id, reference, ...report });
  await on.query(
    `INSERT INTO sandbox_notifications (id, reference, shop_id, body, signature, due_at)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms') ON CONFLICT DO NOTHING`,
    [`sbn_${id}`, reference, shopId, body, signatureOf(body), inMs],
  );
}

export const signatureOf = (body: string): string =>
  createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex');

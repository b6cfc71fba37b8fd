// The work of API and worker processes of commit 03ffeb28, with their own statements, while the database is migrated.
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { OLD_CLIENT } from './old-database.js';
import {
  OLD_CLAIM,
  OLD_CLAIM_KEYS,
  OLD_COMPLETE_KEYS,
  OLD_INSERT_PAYMENTS,
  OLD_RECORD,
  OLD_WRITE_STATUSES,
} from './old-statements.js';

const LANES = [1, 2];
const LEASE_MS = 5_000;
const PAUSE_MS = 20;

/** A payment that was confirmed to its merchant. */
export interface OldPayment {
  id: number;
  key: string;
  answer: string;
}

/** A row without an id represents none; only the first row has the lease. */
interface Claimed {
  id: number | null;
  attempts: number;
  lease: string | null;
}

/** Load that runs until `stop`. Statements are prepared with names, as in those processes. */
export class OldProcesses {
  readonly payments: OldPayment[] = [];
  /** Deliveries with a recorded attempt of the old worker; no other process sends them. */
  readonly delivered = new Set<number>();
  /** By the statement's name, in ms. */
  readonly longestMs = new Map<string, number>();
  private isOver = false;
  private count = 0;
  private readonly running: Promise<void>[];

  constructor(
    private readonly pool: Pool,
    private readonly receiverUrl: string,
  ) {
    const loop = async (work: () => Promise<void>) => {
      for (; !this.isOver; await delay(PAUSE_MS)) await work();
    };
    this.running = [loop(() => this.pay()), loop(() => this.pay()), loop(() => this.deliver())];
  }

  /** Rejects with the error of any statement. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
  }

  private async pay(): Promise<void> {
    const key = `old-${++this.count}`;
    const keys = [[OLD_CLIENT.id], [key]];
    const hashes = [Buffer.from(key)];
    const [held] = await this.run<{ lock_version: number }>('claim key', OLD_CLAIM_KEYS, [...keys, hashes, 600_000]);
    const record = this.recordOf(key, held!.lock_version);
    const [payment] = await this.run<{ id: number }>('insert payment', OLD_INSERT_PAYMENTS, [
      600_000,
      JSON.stringify([record]),
    ]);
    const answer = JSON.stringify({ success: true, data: { id: payment!.id } });
    const written = await this.run('write status', OLD_WRITE_STATUSES, completed(payment!.id, record));
    if (written.length === 0) throw new Error(`the status of payment ${payment!.id} was not written`);
    await this.run('complete key', OLD_COMPLETE_KEYS, [...keys, [held!.lock_version], [answer]]);
    this.payments.push({ id: payment!.id, key, answer });
  }

  private recordOf(key: string, lockVersion: number) {
    const shopId = 1 + (this.count % 2);
    return {
      position: 0,
      merchant_id: 1,
      shop_id: shopId,
      flow_id: 1,
      flow_version: 1,
      known_customer_id: null,
      new_customer_id: null,
      customer: { first_name: 'Ada' },
      payment_session_id: `ps_${key}`,
      provider_transaction_id: `sbx_${key}`,
      payment_provider: 'sandbox',
      amount: '49.90',
      currency: 'EUR',
      country: null,
      webhook_endpoint: `${this.receiverUrl}/good`,
      webhook_lane_id: shopId,
      metadata: null,
      created_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + 1_800_000).toISOString(),
      max_attempts: 1,
      fallback_shop_ids: null,
      decision: { picked: shopId },
      return_url: null,
      capture: 'automatic',
      payment_method: null,
      initiator: null,
      attempt: 1,
      rollout_id: null,
      rollout_stage: null,
      rule_key: 'a rule',
      traceparent: null,
      reference: `reference-of-${key}`,
      charge_key: `charge-of-${key}`,
      sealed_payment_token: null,
      key_client_id: OLD_CLIENT.id,
      key,
      key_lock_version: lockVersion,
    };
  }

  /** Claims deliveries, treats them as sent, and records them: few at a time, so that there are always more. */
  private async deliver(): Promise<void> {
    const perLane = <T>(value: T) => LANES.map(() => value);
    const values = [LANES, perLane(1), perLane(Infinity), perLane(-Infinity), LEASE_MS, perLane(false)];
    const claimed = await this.run<Claimed>('claim', OLD_CLAIM, values);
    const rows = claimed.filter((row): row is Claimed & { id: number } => row.id !== null);
    if (rows.length === 0) return;
    const [{ lease }] = claimed as [Claimed];
    const column = <T>(value: (row: Claimed & { id: number }) => T) => rows.map(value);
    const [done] = await this.run<{ ids: number[] }>('record', OLD_RECORD, [
      column(({ id }) => id),
      column(({ attempts }) => attempts),
      column(() => Date.now() / 1_000),
      column(() => 1),
      column(() => 200),
      column(() => 'ok'),
      column(() => lease),
      column(() => 'delivered'),
      column(() => 0),
      column(() => null),
    ]);
    if (done!.ids.length < rows.length) throw new Error('a lease of the old worker was broken');
    for (const { id } of rows) this.delivered.add(id);
  }

  private async run<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const startedAt = performance.now();
    const { rows } = await this.pool.query<Row>({ name: `old ${name}`, text, values });
    this.longestMs.set(name, Math.max(this.longestMs.get(name) ?? 0, performance.now() - startedAt));
    return rows;
  }
}

/** The parameters with which an approved payment is written. */
function completed(
  id: number,
  {
    created_at: createdAt,
    provider_transaction_id: transactionId,
  }: { created_at: string; provider_transaction_id: string },
) {
  const at = new Date().toISOString();
  const write = {
    id,
    known_status: 'pending',
    known_attempt: 1,
    known_updated_at: createdAt,
    status: 'completed',
    updated_at: at,
    provider_metadata: '{}',
    provider_transaction_id: transactionId,
    amount_authorized: '49.90',
    amount_captured: '49.90',
    amount_refunded: '0',
    capture_before: null,
    next_action: null,
    attempt: 1,
    attempt_outcome: 'approved',
    decline_code: null,
    card: null,
    shop_outcome: 'approved',
    is_locked: false,
  };
  const step = (position: number, from: string, to: string) => ({
    written_id: id,
    position,
    from_status: from,
    to_status: to,
    cause: 'provider_answer',
    at,
    request_body: JSON.stringify({ event: 'payment.status_changed', payment: { id, status: to } }),
    traceparent: null,
  });
  const steps = [step(0, 'pending', 'processing'), step(1, 'processing', 'completed')];
  const minute = `${at.slice(0, 16)}:00Z`;
  return [minute, at, JSON.stringify([write]), JSON.stringify(steps)];
}

import type { ConnectorHost, HostTransaction, Statement } from '@payment-orchestrator/provider-kit';
import {
  CLAIM_DUE,
  CLAIM_FOR_REFERENCE,
  DROP_NOTIFICATION,
  type DueNotification,
  INSERT_NOTIFICATION,
  NEXT_DUE,
  POSTPONE_NOTIFICATION,
} from './notifications.queries.js';
import type { NewSandboxNotification } from './transactions.queries.js';

const MAX_IN_FLIGHT = 32;
const TIMEOUT_MS = 5_000;
/**
 * How long a claim lasts, longer than a send may take. After it another process sends the notification of a dead one.
 */
const CLAIM_MS = 10_000;
/**
 * Delays before the 2nd, 3rd … try. After the last one the notification is dropped, and only a look-up shows the
 * outcome.
 */
const RETRY_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000];
/** Interval in which notifications of other processes are found. Those of this process are sent when they are due. */
const POLL_MS = 30_000;
/** Minimum time between two polls, so that close notifications are claimed together. */
const MIN_POLL_MS = 20;
const BUSY_POLL_MS = 200;

/**
 * Sends the sandbox's notifications by HTTP to the service, as another company's server would.
 * - A notification is a row with a due time: after a restart, or in another process, sending continues.
 * - One timer, set for the next due row, or for a poll in 30 s if there is none.
 * - At least once: a row is deleted after a 2xx answer, or after the last try.
 */
export class SandboxNotifier {
  /** Sends under way, with the references of their transactions. */
  private readonly sending = new Map<Promise<void>, string>();
  private state: 'idle' | 'started' | 'stopped' = 'idle';
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;
  private polling: Promise<void> | undefined;
  private failing = false;

  constructor(private readonly host: ConnectorHost) {}

  /** Starts sending; called only in the process that serves the API. */
  start(): void {
    this.state = 'started';
    this.wake(0);
  }

  /** Resolves when the notifications under way are answered or failed. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    clearTimeout(this.timer);
    await this.polling;
    await Promise.all(this.sending.keys());
  }

  /** Polls in `inMs`, when a notification is due. */
  wake(inMs: number): void {
    const at = performance.now() + inMs;
    if (this.state !== 'started' || at >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = at;
    this.timer = setTimeout(() => this.poll(), Math.ceil(inMs));
  }

  /**
   * Sends the due notifications of a transaction; resolves when they are answered or failed, also those that a poll of
   * this process has claimed. Rejects if the database fails.
   */
  async sendNow(reference: string): Promise<void> {
    if (this.state !== 'started') return;
    await this.claim(CLAIM_FOR_REFERENCE, reference);
    await this.polling;
    await Promise.all([...this.sending].filter(([, of]) => of === reference).map(([sent]) => sent));
  }

  /** Stores a notification with the change that it reports; it is sent when it is due. */
  async schedule(
    transaction: HostTransaction,
    { reference, shop_id: shopId }: { reference: string; shop_id: number },
    { id, body, signature, due_in_ms: dueInMs }: NewSandboxNotification & { due_in_ms: number },
  ): Promise<void> {
    await transaction.query(INSERT_NOTIFICATION, [id, reference, shopId, body, signature, dueInMs]);
    transaction.onCommit(() => this.wake(dueInMs));
  }

  private poll(): void {
    this.timerAt = Infinity;
    this.polling = (this.polling ?? Promise.resolve())
      .then(() => this.sendDue())
      .then((nextInMs) => this.wake(Math.min(POLL_MS, Math.max(MIN_POLL_MS, nextInMs))));
  }

  /** Returns in how many ms to poll again. Never rejects: a database outage is logged once. */
  private async sendDue(): Promise<number> {
    const capacity = MAX_IN_FLIGHT - this.sending.size;
    // the end of a send wakes the poll
    if (capacity <= 0 || this.state !== 'started') return POLL_MS;
    try {
      const claimed = await this.claim(CLAIM_DUE, capacity);
      const [next] = claimed < capacity ? await this.host.database.query<{ ms: number | null }>(NEXT_DUE) : [];
      this.failing = false;
      // due notifications are all locked: another process sends them, or changes their transactions
      if (claimed === 0 && (next?.ms ?? 1) <= 0) return BUSY_POLL_MS;
      return next?.ms ?? (next ? POLL_MS : 0);
    } catch (error) {
      if (!this.failing) this.host.log.error({ msg: "the sandbox's notifications cannot be read", err: error });
      this.failing = true;
      return POLL_MS;
    }
  }

  /** Begins to send; returns how many. */
  private async claim(statement: Statement, argument: string | number): Promise<number> {
    const claimed = await this.host.database.query<DueNotification>(statement, [argument, CLAIM_MS]);
    for (const notification of claimed) {
      const sent: Promise<void> = this.send(notification).finally(() => {
        this.sending.delete(sent);
        if (this.sending.size === MAX_IN_FLIGHT - 1) this.wake(0);
      });
      this.sending.set(sent, notification.reference);
    }
    return claimed.length;
  }

  /** Never rejects: if the database is unavailable, the notification is due again when its claim ends. */
  private async send(notification: DueNotification): Promise<void> {
    const { id, tries, shop_id: shopId } = notification;
    try {
      const failure = await this.post(notification);
      if (failure === undefined) return await this.drop(id);
      const delayMs = RETRY_DELAYS_MS[tries - 1];
      this.host.log.debug({ msg: 'sandbox notification failed', notificationId: id, shopId, tries, failure });
      if (delayMs === undefined) {
        this.host.log.warn({
          msg: 'sandbox notification dropped after the last try',
          notificationId: id,
          shopId,
          tries,
          failure,
        });
        return await this.drop(id);
      }
      await this.host.database.query(POSTPONE_NOTIFICATION, [id, delayMs]);
      this.wake(delayMs);
    } catch (error) {
      this.host.log.warn({
        msg: 'failed to update a sandbox notification',
        notificationId: id,
        shopId,
        tries,
        err: error,
      });
    }
  }

  private async drop(id: string): Promise<void> {
    await this.host.database.query(DROP_NOTIFICATION, [id]);
  }

  /** Why it was not received; `undefined`: it was. */
  private async post({ shop_id: shopId, body, signature }: DueNotification): Promise<string | undefined> {
    try {
      const response = await fetch(`${this.host.url()}/providers/sandbox/notifications/${shopId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.arrayBuffer();
      return response.ok ? undefined : `answered ${response.status}`;
    } catch (error) {
      return error instanceof Error ? error.name : 'unknown';
    }
  }
}

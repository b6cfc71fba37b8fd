import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { SandboxAddress } from './sandbox-address.js';
import {
  CLAIM_DUE,
  CLAIM_OF,
  DROP_NOTIFICATION,
  type DueNotification,
  NEXT_DUE,
  POSTPONE_NOTIFICATION,
} from './sandbox-notifications.queries.js';

const MAX_IN_FLIGHT = 32;
const TIMEOUT_MS = 5_000;
/** A process that dies while it sends leaves the notification to the next look after this: longer than it may take. */
const CLAIM_MS = 10_000;
/** Before the 2nd, 3rd … try; after the last one the notification is given up, and looking the transaction up is left. */
const RETRY_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000];
/** What other processes left behind is found within this; what this one makes is sent when it is due. */
const LOOK_MS = 30_000;
/** Between two looks at least: what comes close together is claimed together. */
const MIN_REST_MS = 20;
const BUSY_REST_MS = 200;

/**
 * Sends the sandbox's notifications by HTTP to this API, as another company's server would.
 * - A notification is a row that is due: a restart, or another process, carries on where one has died.
 * - One timer, set for the next row that is due, or for a look in 30 s where there is none.
 * - At least once: a row goes when its notification was answered with a 2xx, or after the last try.
 */
@Injectable()
export class SandboxNotifier implements OnModuleDestroy {
  private readonly logger = new Logger(SandboxNotifier.name);
  private readonly sending = new Set<Promise<void>>();
  private state: 'idle' | 'started' | 'stopped' = 'idle';
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;
  private looking: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly database: Database,
    private readonly address: SandboxAddress,
  ) {}

  /** For the process that serves the API; in others this does nothing. */
  start(): void {
    this.state = 'started';
    this.wake(0);
  }

  async onModuleDestroy(): Promise<void> {
    this.state = 'stopped';
    clearTimeout(this.timer);
    await this.looking;
    await Promise.all(this.sending);
  }

  /** A notification is due in `inMs`. */
  wake(inMs: number): void {
    const at = performance.now() + inMs;
    if (this.state !== 'started' || at >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = at;
    this.timer = setTimeout(() => this.look(), Math.ceil(inMs));
  }

  /** Sends what is due of a transaction; resolves when it was answered, or failed. Rejects when the database does. */
  async sendNow(reference: string): Promise<void> {
    if (this.state === 'started') await Promise.all(await this.claim(CLAIM_OF, reference));
  }

  private look(): void {
    this.timerAt = Infinity;
    this.looking = (this.looking ?? Promise.resolve())
      .then(() => this.sendDue())
      .then((nextInMs) => this.wake(Math.min(LOOK_MS, Math.max(MIN_REST_MS, nextInMs))));
  }

  /** In how many ms to look again. Never rejects: a database outage is logged once. */
  private async sendDue(): Promise<number> {
    const room = MAX_IN_FLIGHT - this.sending.size;
    // whoever ends makes room, and wakes
    if (room <= 0 || this.state !== 'started') return LOOK_MS;
    try {
      const claimed = await this.claim(CLAIM_DUE, room);
      const [next] = claimed.length < room ? await this.database.query<{ ms: number | null }>(NEXT_DUE) : [];
      this.failing = false;
      // none taken of those that are due: another process is at them, or at their transactions
      if (claimed.length === 0 && (next?.ms ?? 1) <= 0) return BUSY_REST_MS;
      return next?.ms ?? (next ? LOOK_MS : 0);
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: "the sandbox's notifications fail", err: error });
      this.failing = true;
      return LOOK_MS;
    }
  }

  private async claim(statement: Statement, argument: string | number): Promise<Promise<void>[]> {
    const claimed = await this.database.query<DueNotification>(statement, [argument, CLAIM_MS]);
    return claimed.map((notification) => {
      const sent: Promise<void> = this.send(notification).finally(() => {
        this.sending.delete(sent);
        if (this.sending.size === MAX_IN_FLIGHT - 1) this.wake(0);
      });
      this.sending.add(sent);
      return sent;
    });
  }

  /** Never rejects: where the database is away, the notification is due again when its claim ends. */
  private async send(notification: DueNotification): Promise<void> {
    const { id, tries, shop_id: shopId } = notification;
    try {
      const failure = await this.post(notification);
      if (failure === undefined) return await this.drop(id);
      const delayMs = RETRY_DELAYS_MS[tries - 1];
      this.logger.debug({ msg: 'sandbox notification failed', notificationId: id, shopId, tries, failure });
      if (delayMs === undefined) {
        this.logger.warn({ msg: 'sandbox notification given up', notificationId: id, shopId, tries, failure });
        return await this.drop(id);
      }
      await this.database.query(POSTPONE_NOTIFICATION, [id, delayMs]);
      this.wake(delayMs);
    } catch (error) {
      this.logger.warn({ msg: 'sandbox notification left as it is', notificationId: id, shopId, tries, err: error });
    }
  }

  private async drop(id: string): Promise<void> {
    await this.database.query(DROP_NOTIFICATION, [id]);
  }

  /** Why it was not received; `undefined`: it was. */
  private async post({ shop_id: shopId, body, signature }: DueNotification): Promise<string | undefined> {
    try {
      const response = await fetch(`${this.address.url}/providers/sandbox/notifications/${shopId}`, {
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

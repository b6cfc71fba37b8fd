import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Clock } from '../shared/clock.js';
import { FIND_EXPIRED } from './payment.queries.js';
import { PaymentsService } from './payments.service.js';

const INTERVAL_MS = 1_000;
const BATCH = 200;

/**
 * The worker's timer of payments: cancels what stayed pending beyond `expires_at`. Several workers may find the same
 * payment; the row lock lets one of them change it and the others find nothing to do.
 */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ExpiryService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Cancels one batch of expired payments, oldest first; answers how many it found. */
  async expireBatch(): Promise<number> {
    const expired = await this.database.query<{ id: number }>(FIND_EXPIRED, [this.clock.now(), BATCH]);
    for (const { id } of expired) {
      if (this.stopped) break;
      await this.payments.changeStatus(id, { to: 'cancelled', cause: 'expired', onlyFrom: 'pending' });
    }
    return expired.length;
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.round().finally(() => this.schedule());
    }, INTERVAL_MS);
  }

  /** Never rejects: a database that is away is said once, and tried again at the next round. */
  private async round(): Promise<void> {
    try {
      while (!this.stopped && (await this.expireBatch()) === BATCH);
      if (this.failing) this.logger.log('expiry works again');
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'expiry failed, trying again every second', err: error });
      this.failing = true;
    }
  }
}

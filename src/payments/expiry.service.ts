import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Clock } from '../shared/clock.js';
import { ShopOutcomesService } from '../shops/shop-outcomes.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { FIND_EXPIRED } from './payment.queries.js';
import { PaymentsService } from './payments.service.js';

const INTERVAL_MS = 1_000;
const BATCH = 200;
/** Every how many rounds old idempotency keys and outcomes of shops are pruned. */
const PRUNE_EVERY = 60;

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
  private rounds = 0;

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly idempotency: IdempotencyService,
    private readonly outcomes: ShopOutcomesService,
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

  /** What nobody asks for any more, one batch of each. */
  private async prune(): Promise<void> {
    await this.idempotency.prune();
    await this.outcomes.prune();
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
      if (this.rounds++ % PRUNE_EVERY === 0) await this.prune();
      if (this.failing) this.logger.log('expiry works again');
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.error({ msg: 'expiry failed, trying again every second', err: error });
      this.failing = true;
    }
  }
}

import { Injectable, Logger, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SystemClock, TOLERATED_MS } from '../../shared/clock.js';
import { MaintenanceJob } from '../../shared/maintenance-job.js';
import { Database, type Statement } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';

const EVERY_MS = 5_000;
/** An answer that took longer tells too little: the process was frozen or busy, or waited for a connection. */
const SLOW_MS = 1_000;
const FIRST_LOOKS = 3;

const DATABASE_TIME: Statement = {
  name: 'clock.now',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
};

/**
 * Tells this process's clock what time it is at the database, which all processes share: what one writes others compare with
 * their own. Without an answer the clock goes on by what it was told last.
 * Why not NTP only: a container cannot set the clock of its machine, and one wrong machine would lease rows too long.
 */
@Injectable()
export class ClockSteering implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ClockSteering.name);
  private readonly job = new MaintenanceJob(
    { name: 'clock steering', everyMs: EVERY_MS, run: async () => void (await this.look().catch(() => undefined)) },
    this.logger,
  );
  private readonly ahead;
  private isOff = false;

  constructor(
    private readonly database: Database,
    private readonly clock: SystemClock,
    metrics: Metrics,
  ) {
    this.ahead = metrics.gauge({
      name: 'clock_ahead_seconds',
      help: 'How far the clock of the machine is ahead of the one of the database, which counts; below 0: behind',
    });
  }

  async onModuleInit(): Promise<void> {
    try {
      // the first answer may have waited for a connection
      for (let asked = 0; asked < FIRST_LOOKS && !(await this.look()); asked++);
    } catch {
      // what else needs the database tells that it is away
    }
    this.job.start(EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.job.stop();
  }

  /** Whether the answer tells enough. Throws without the database. */
  private async look(): Promise<boolean> {
    const askedAt = performance.now();
    const [row] = await this.database.query<{ ms: number }>(DATABASE_TIME);
    const answeredAt = performance.now();
    if (answeredAt - askedAt > SLOW_MS) return false;
    const rightMs = row!.ms + (answeredAt - askedAt) / 2;
    this.clock.steer(rightMs, answeredAt);
    this.tell(Date.now() - rightMs);
    return true;
  }

  private tell(aheadMs: number): void {
    this.ahead.set(aheadMs / 1_000);
    const isOff = Math.abs(aheadMs) > TOLERATED_MS;
    if (isOff === this.isOff) return;
    this.isOff = isOff;
    const aheadSeconds = Math.round(aheadMs / 1_000);
    if (isOff)
      this.logger.warn({ msg: 'the clock of this machine differs from the database’s, which counts', aheadSeconds });
    else this.logger.log('the clock of this machine agrees with the database’s again');
  }
}

/** For the processes that serve: their clock follows that of the database. */
@Module({ providers: [ClockSteering] })
export class ClockModule {}

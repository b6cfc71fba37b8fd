import { Injectable, Logger, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SystemClock, TOLERATED_MS } from '../../shared/clock.js';
import { MaintenanceJob } from '../../shared/maintenance-job.js';
import { Database, type Statement } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';

const EVERY_MS = 5_000;
/** A slower response is too inexact: the process was frozen or busy, or waited for a connection. */
const SLOW_MS = 1_000;
const FIRST_TRIES = 3;

const DATABASE_TIME: Statement = {
  name: 'clock.now',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
};

/**
 * Sets this process's clock to the time of the database, which all processes share, because they compare each other's
 * timestamps. Without a response the clock keeps its last offset. Why not NTP only: a container cannot set the clock of
 * its machine, and one wrong machine would lease rows too long.
 */
@Injectable()
export class ClockSteering implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(ClockSteering.name);
  private readonly job = new MaintenanceJob(
    { name: 'clock steering', everyMs: EVERY_MS, run: async () => void (await this.measure().catch(() => undefined)) },
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
      help: 'How far the clock of the machine is ahead of the clock of the database, which counts; below 0: behind',
    });
  }

  async onModuleInit(): Promise<void> {
    try {
      // the first response may have waited for a connection
      for (let tries = 0; tries < FIRST_TRIES && !(await this.measure()); tries++);
    } catch {
      // everything else that needs the database reports that it is down
    }
    this.job.start(EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.job.stop();
  }

  /** Whether the response was fast enough. Throws when the database is down. */
  private async measure(): Promise<boolean> {
    const askedAt = performance.now();
    const [row] = await this.database.query<{ ms: number }>(DATABASE_TIME);
    const answeredAt = performance.now();
    if (answeredAt - askedAt > SLOW_MS) return false;
    const rightMs = row!.ms + (answeredAt - askedAt) / 2;
    this.clock.steer(rightMs, answeredAt);
    this.report(Date.now() - rightMs);
    return true;
  }

  private report(aheadMs: number): void {
    this.ahead.set(aheadMs / 1_000);
    const isOff = Math.abs(aheadMs) > TOLERATED_MS;
    if (isOff === this.isOff) return;
    this.isOff = isOff;
    const aheadSeconds = Math.round(aheadMs / 1_000);
    if (isOff)
      this.logger.warn({
        msg: 'the clock of this machine differs from the database’s clock, which counts',
        aheadSeconds,
      });
    else this.logger.log('the clock of this machine agrees with the database’s clock again');
  }
}

/** For serving processes: their clock follows the clock of the database. */
@Module({ providers: [ClockSteering] })
export class ClockModule {}

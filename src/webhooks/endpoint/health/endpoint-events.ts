import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { originOf } from '../../../platform/addresses/endpoint.js';
import type { Config } from '../../../platform/config/config.js';
import { InjectConfig } from '../../../platform/config/config.module.js';
import type { Transaction } from '../../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../../platform/maintenance/maintenance-jobs.js';
import { Clock, daysBefore, HOUR_MS } from '../../../shared/clock.js';
import { ANNOUNCE_FAILING, DISABLE_FAILING, PRUNE_EVENTS } from './endpoint-events.queries.js';

/** Time without a 2xx after which an endpoint is announced as failing. By then a delivery has had three attempts. */
const FAILING_AFTER_MS = 300_000;
const ANNOUNCE_PAUSE_MS = 5_000;
const PRUNE_PAUSE_MS = 60_000;
const BATCH_SIZE = 500;
const DISABLE_PAUSE_MS = 10_000;

interface FailingEndpoint {
  lane_id: number;
  shop_id: number;
  origin: string;
}

/**
 * Announces failing endpoints, and disables standing ones that fail for long, which only the passage of time reveals, and deletes old events of deliveries and endpoints.
 * The statement that records an attempt writes the other events (`delivery.failed`, `endpoint.recovered`). An announcement
 * commits together with its event, so it is made exactly once even if workers crash.
 */
@Injectable()
export class EndpointEvents implements OnModuleInit {
  private readonly logger = new Logger(EndpointEvents.name);

  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'retentionDays' | 'endpointDisabledAfterHours'>,
  ) {}

  onModuleInit(): void {
    const announce = (transaction: Transaction) => this.announce(transaction);
    this.maintenance.add({ name: 'failing endpoints', everyMs: ANNOUNCE_PAUSE_MS, batch: announce });
    const disable = (transaction: Transaction) => this.disable(transaction);
    this.maintenance.add({ name: 'endpoints to disable', everyMs: DISABLE_PAUSE_MS, batch: disable });
    const { deliveries } = this.config.retentionDays;
    if (deliveries === 0) return;
    const prune = (transaction: Transaction) => this.prune(transaction, deliveries);
    this.maintenance.add({ name: 'webhook events', everyMs: PRUNE_PAUSE_MS, batch: prune });
  }

  private async announce(transaction: Transaction): Promise<Batch> {
    const values = [FAILING_AFTER_MS, BATCH_SIZE];
    const failing = await transaction.query<FailingEndpoint>(ANNOUNCE_FAILING, values);
    for (const { lane_id: laneId, shop_id: shopId, origin } of failing)
      this.logger.log({ msg: 'endpoint announced as failing', laneId, shopId, origin: originOf(origin) });
    return { rows: 0, more: failing.length === BATCH_SIZE };
  }

  private async disable(transaction: Transaction): Promise<Batch> {
    const values = [this.config.endpointDisabledAfterHours * HOUR_MS, BATCH_SIZE];
    const disabled = await transaction.query<{ id: number }>(DISABLE_FAILING, values);
    for (const { id } of disabled) this.logger.warn({ msg: 'endpoint disabled, because it fails', endpointId: id });
    return { rows: 0, more: disabled.length === BATCH_SIZE };
  }

  private async prune(transaction: Transaction, days: number): Promise<Batch> {
    const before = daysBefore(this.clock.now(), days);
    const rows = (await transaction.query(PRUNE_EVENTS, [before, BATCH_SIZE])).length;
    return { rows, more: rows === BATCH_SIZE };
  }
}

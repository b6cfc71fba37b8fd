import { Injectable } from '@nestjs/common';
import { DatabaseGauges } from '../../platform/database/database-gauges.js';
import { COUNT_FAILING, COUNT_PENDING, LAST_SCAN, READ_DUE } from './backlog.queries.js';

/** Gauges of pending deliveries, read from the database. Every process exports them, even when no worker runs. */
@Injectable()
export class WebhookBacklog {
  constructor(rows: DatabaseGauges) {
    rows.add<{ lanes: number; oldest_seconds: number }>(READ_DUE, [
      {
        name: 'webhook_oldest_due_seconds',
        help: 'Time since the oldest due delivery became due; 0 if none is due',
        value: ([row]) => row!.oldest_seconds,
      },
      {
        name: 'webhook_lanes_due',
        help: 'Lanes (shop and origin) with a due delivery, among the 10,000 oldest due deliveries',
        value: ([row]) => row!.lanes,
      },
    ]);
    rows.add<{ rows: number; parked: number }>(COUNT_PENDING, [
      {
        name: 'webhook_deliveries_pending',
        help: 'Pending deliveries, including those that wait for a retry; counted up to 1,000,000',
        value: ([row]) => row!.rows,
      },
      {
        name: 'webhook_deliveries_parked',
        help: 'Deliveries that wait for a paused or disabled endpoint; counted up to 1,000,000',
        value: ([row]) => row!.parked,
      },
    ]);
    rows.add<{ endpoints: number }>(COUNT_FAILING, [
      {
        name: 'webhook_endpoints_failing',
        help: 'Endpoints without a 2xx for five minutes, as announced in GET /events',
        value: ([row]) => row!.endpoints,
      },
    ]);
    const lastScan = {
      name: 'webhook_reconciler_last_look_timestamp_seconds',
      help: 'Time of the last successful scan for due lanes by any worker; no value if there was none',
      value: ([row]: { at: number | null }[]) => row!.at,
    };
    rows.add(LAST_SCAN, [lastScan]);
  }
}

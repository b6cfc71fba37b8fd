import { Injectable } from '@nestjs/common';
import { DatabaseGauges } from '../../platform/database/database-gauges.js';
import { COUNT_FAILING, COUNT_PENDING, LAST_LOOK, READ_DUE } from './backlog.queries.js';

/** What waits for delivery, by the rows: every process tells it, also when no worker is alive. */
@Injectable()
export class WebhookBacklog {
  constructor(rows: DatabaseGauges) {
    rows.add<{ lanes: number; oldest_seconds: number }>(READ_DUE, [
      {
        name: 'webhook_oldest_due_seconds',
        help: 'How long the oldest due delivery has been due; 0: none is due',
        value: ([row]) => row!.oldest_seconds,
      },
      {
        name: 'webhook_lanes_due',
        help: 'Lanes (shop and origin) with a due delivery, among the 10,000 oldest due deliveries',
        value: ([row]) => row!.lanes,
      },
    ]);
    rows.add<{ rows: number }>(COUNT_PENDING, [
      {
        name: 'webhook_deliveries_pending',
        help: 'Deliveries that are not at their end, those that wait for a retry included; at most 1,000,000 are counted',
        value: ([row]) => row!.rows,
      },
    ]);
    rows.add<{ endpoints: number }>(COUNT_FAILING, [
      {
        name: 'webhook_endpoints_failing',
        help: 'Endpoints without a 2xx for five minutes, as GET /events tells of them',
        value: ([row]) => row!.endpoints,
      },
    ]);
    const lastLook = {
      name: 'webhook_reconciler_last_look_timestamp_seconds',
      help: 'When a worker, whichever, last looked for due lanes and was answered; none ever was: no value',
      value: ([row]: { at: number | null }[]) => row!.at,
    };
    rows.add(LAST_LOOK, [lastLook]);
  }
}

import type { Receiver } from './context.js';
import type { BenchDatabase } from './database.js';
import { percentile } from './statistics.js';

export interface CommitLatency {
  p50: number;
  p95: number;
  p99: number;
  count: number;
}

interface CommittedRow {
  id: number;
  committed_at: number;
}

/**
 * Ms from the commit of a status change until its delivery arrived, over the deliveries to `endpointPrefix` with ids
 * above `afterId`. PostgreSQL notes when each transaction commits (track_commit_timestamp); a row of the history is
 * never changed, so its xmin is that transaction. Both clocks are this machine's.
 */
export async function commitLatency(
  database: BenchDatabase,
  receiver: Receiver,
  endpointPrefix: string,
  afterId: number,
): Promise<CommitLatency> {
  const { ids, arrivals } = await receiver.call('receipts');
  const firstArrival = new Map<number, number>();
  ids.forEach((id, index) => {
    if (!firstArrival.has(id)) firstArrival.set(id, arrivals[index]!);
  });
  const rows = await database.query<CommittedRow>(
    `SELECT d.id, (extract(epoch FROM pg_xact_commit_timestamp(c.xmin)) * 1000)::float8 AS committed_at
     FROM all_deliveries d
     JOIN payment_status_changes c ON c.payment_id = d.payment_id AND c.to_status = d.payment_status
     WHERE d.id > $1 AND starts_with(d.webhook_endpoint, $2)`,
    [afterId, endpointPrefix],
  );
  // one that has not arrived is late without end, and shows in the percentiles
  const latencies = rows.map((row) => (firstArrival.get(row.id) ?? Infinity) - row.committed_at);
  return {
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    count: latencies.length,
  };
}

/** The greatest id of a delivery so far. */
export async function lastDeliveryId(database: BenchDatabase): Promise<number> {
  const [row] = await database.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM all_deliveries');
  return row!.id;
}

import type { Receiver } from './context.js';
import type { BenchDatabase } from '../support/database.js';
import { percentile } from '../support/statistics.js';

export interface CommitLatency {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** One delivery: when its change was committed (ms since 1970), and the ms until it arrived. */
export interface Latency {
  committedAt: number;
  ms: number;
}

interface CommittedRow {
  id: number;
  committed_at: number;
}

/**
 * Ms from the commit of a status change until its delivery arrived, for the deliveries to `endpointPrefix` with ids
 * above `afterId`. PostgreSQL records when each transaction commits (track_commit_timestamp). A row of the history is
 * never changed, so its xmin is that transaction. Both clocks are this machine's.
 */
export async function commitLatencies(
  database: BenchDatabase,
  receiver: Receiver,
  endpointPrefix: string,
  afterId: number,
): Promise<Latency[]> {
  const { ids, arrivals } = await receiver.call('receipts');
  const firstArrival = new Map<number, number>();
  ids.forEach((id, index) => {
    if (!firstArrival.has(id)) firstArrival.set(id, arrivals[index]!);
  });
  const rows = await database.query<CommittedRow>(
    `SELECT ${database.deliveries.receiptNumber} AS id, (extract(epoch FROM pg_xact_commit_timestamp(c.xmin)) * 1000)::float8 AS committed_at
     FROM ${database.deliveries.all} d
     JOIN payment_status_changes c ON c.payment_id = d.payment_id AND c.to_status = d.payment_status
     WHERE d.id > $1 AND starts_with(d.webhook_endpoint, $2)`,
    [afterId, endpointPrefix],
  );
  // a delivery that has not arrived counts as infinitely late, so that it shows in the percentiles
  return rows.map(({ id, committed_at: committedAt }) => ({
    committedAt,
    ms: (firstArrival.get(id) ?? Infinity) - committedAt,
  }));
}

export function summarize(latencies: readonly Latency[]): CommitLatency {
  const ms = latencies.map((latency) => latency.ms);
  return { p50: percentile(ms, 0.5), p95: percentile(ms, 0.95), p99: percentile(ms, 0.99), max: percentile(ms, 1) };
}

export const commitLatency = async (...args: Parameters<typeof commitLatencies>): Promise<CommitLatency> =>
  summarize(await commitLatencies(...args));

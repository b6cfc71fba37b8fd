// The evidence of a run, read after it has drained: the product's tables, the requests that receivers got, the API's
// promises, the answers of /health/ready and the injected faults. The checks use nothing else.
import type { Receipt } from '../processes/receivers.js';
import type { ClockStep } from '../clock-watch.js';
import type { Promised } from '../stories/merchant.js';
import { ROUND_ROBIN } from '../load.js';
import type { Fault } from '../schedule.js';
import type { HealthSample } from '../watch.js';
import type { Receivers } from '../receivers.js';
import type { DeliveryTables } from '../../support/delivery-tables.js';
import type { HarnessDatabase } from '../../support/harness-database.js';
import { type Ledgers, readLedgers } from '../../../test/support/ledger/ledger.js';

/** Difference between an event and its time as read by another process. Real violations are early by hundreds of ms. */
const READING_MS = 30;

/**
 * The same between a receiver's and a worker's reading, in addition. On a virtual machine with too little CPU, answers
 * were recorded up to 103 ms before their requests had arrived.
 */
export const RECEIVERS_READING_MS = 120;

/** A clock step affects times that are read within this time around it, such as a retry's delay or an attempt. */
const STEP_IS_FELT_MS = 10_000;

/**
 * Possible difference of two readings around `at`, in ms. Times are read off the wall clock on both sides, durations
 * are not. A virtual machine's wall clock is corrected in steps while it runs, by 10 ms and occasionally by 90.
 */
export const toleranceAt = ({ clockSteps }: Pick<Evidence, 'clockSteps'>, at: number): number =>
  clockSteps
    .filter((step) => Math.abs(step.at - at) <= STEP_IS_FELT_MS)
    .reduce((sum, step) => sum + Math.abs(step.byMs), READING_MS);

export interface PaymentRow {
  id: number;
  shop_id: number;
  status: string;
  has_endpoint: boolean;
  reference: string;
  flow: string;
}

export interface ChangeRow {
  payment_id: number;
  from_status: string;
  to_status: string;
}

/** Times are ms since 1970. */
export interface DeliveryRow {
  id: number;
  payment_id: number;
  payment_status: string;
  /** The standing endpoint; 0: the payment's own address. */
  endpoint_id: number;
  /** The number of its receiver. */
  receiver: number;
  status: string;
  attempts: number;
  attempts_in_run: number;
  last_status_code: number | null;
  body_hash: string;
  created_at: number;
  delivered_at: number | null;
}

/** Times are ms since 1970. */
export interface AttemptRow {
  delivery_id: number;
  number: number;
  started_at: number;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
}

interface ShopRow {
  id: number;
  counted_payments: number;
  counted_with_webhooks: number;
}

interface DisputeRow {
  payment_id: number;
  provider_dispute_id: string;
  status: string;
}

/** A fault as it happened. Times are ms since 1970. */
export interface FaultRecord {
  fault: Fault;
  from: number;
  /** When the fault had fully ended: the server accepts connections, the process runs, the link passes traffic. */
  to: number;
  /** Processes that were completely without a dependency in between. */
  withoutDependency: readonly string[];
}

export interface Evidence {
  retryDelaysMs: readonly number[];
  payments: PaymentRow[];
  /** Ordered by id. */
  changes: ChangeRow[];
  /** Ordered by id. */
  deliveries: DeliveryRow[];
  /** Standing endpoints, which get the changes of all payments. */
  standing: number[];
  /** Ordered by delivery and number. */
  attempts: AttemptRow[];
  shops: ShopRow[];
  /** The counter of the round-robin flow. */
  counter: number;
  /** The shops of the round-robin flow in their order. */
  shopOrder: number[];
  /** Shops that were considered out of service at some time: other shops got their payments then. */
  outages: Set<number>;
  /** Stored notifications: count by id. */
  notifications: Map<string, number>;
  receipts: Receipt[];
  /** Our payments, and the provider's books. */
  ledgers: Ledgers;
  disputes: DisputeRow[];
  /** Operations of the run by kind: count by name. */
  made: Map<string, number>;
  promised: Promised[];
  samples: HealthSample[];
  faults: FaultRecord[];
  clockSteps: readonly ClockStep[];
}

type Postgres = Pick<HarnessDatabase, 'query'>;

/** Sources of the evidence. */
interface Sources extends Receivers {
  postgres: Postgres;
  deliveries: DeliveryTables;
}

type Harness = Pick<Evidence, 'retryDelaysMs' | 'promised' | 'samples' | 'faults' | 'clockSteps'>;

export async function collect(
  { postgres, receivers, endpoints, deliveries }: Sources,
  harness: Harness,
): Promise<Evidence> {
  const [flow] = await postgres.query<{ id: number; counter: number }>(
    'SELECT f.id, c.counter FROM flows f JOIN flow_counters c ON c.flow_id = f.id WHERE f.name = $1',
    [ROUND_ROBIN],
  );
  return {
    ...harness,
    payments: await postgres.query<PaymentRow>(
      `SELECT p.id, p.shop_id, p.status, p.webhook_endpoint IS NOT NULL AS has_endpoint, p.metadata->>'reference' AS reference,
        f.name AS flow FROM payments p JOIN flows f ON f.id = p.flow_id ORDER BY p.id`,
    ),
    changes: await postgres.query<ChangeRow>(
      // later events at the provider are in the history, too, but change no status
      'SELECT payment_id, from_status, to_status FROM payment_status_changes WHERE from_status <> to_status ORDER BY id',
    ),
    deliveries: await postgres.query<DeliveryRow>(
      `SELECT id, payment_id, payment_status, endpoint_id, array_position($1::text[], webhook_endpoint) - 1 AS receiver, status, attempts,
        attempts_in_run::int, last_status_code::int, encode(sha256(convert_to(${deliveries.body}, 'UTF8')), 'hex') AS body_hash,
        ${ms('created_at')}, ${ms('delivered_at')}
       FROM ${deliveries.all} d ORDER BY id`,
      [endpoints],
    ),
    standing: (await postgres.query<{ id: number }>('SELECT id FROM webhook_endpoints ORDER BY id')).map(
      ({ id }) => id,
    ),
    attempts: await postgres.query<AttemptRow>(
      `SELECT delivery_id, number, ${ms('started_at')}, duration_ms, status_code::int, error
       FROM webhook_attempts ORDER BY delivery_id, number`,
    ),
    shops: await postgres.query<ShopRow>(
      `SELECT shop_id AS id, sum(payments)::bigint AS counted_payments, sum(payments_with_webhooks)::bigint AS counted_with_webhooks
       FROM webhook_shop_counters GROUP BY shop_id`,
    ),
    counter: flow!.counter,
    shopOrder: (
      await postgres.query<{ shop_id: number }>(
        `SELECT (s->>'shop_id')::bigint AS shop_id FROM flow_versions v, json_array_elements(v.definition->'shops') s
         WHERE v.flow_id = $1 ORDER BY 1`,
        [flow!.id],
      )
    ).map((row) => row.shop_id),
    outages: new Set(
      (await postgres.query<{ shop_id: number }>('SELECT shop_id FROM shop_outages')).map((row) => row.shop_id),
    ),
    notifications: new Map(
      (
        await postgres.query<{ notification_id: string; times: number }>(
          'SELECT notification_id, count(*) AS times FROM provider_notifications GROUP BY notification_id',
        )
      ).map((row) => [row.notification_id, row.times]),
    ),
    receipts: withRows(await receiptsOf(receivers), await receiptNumbers(postgres, deliveries)),
    disputes: await postgres.query<DisputeRow & Record<string, unknown>>(
      'SELECT payment_id, provider_dispute_id, status FROM disputes ORDER BY id',
    ),
    made: new Map(
      (await postgres.query<{ what: string; times: number }>(MADE)).map(({ what, times }) => [what, times]),
    ),
    ledgers: await readLedgers((text, values) => postgres.query(text, values)),
  };
}

/** Operations by kind, cause and end, and what the provider and people did. */
const MADE = `SELECT what, count(*) AS times FROM (
    SELECT kind || ' (' || cause || ') ' || state AS what FROM provider_operations
    UNION ALL SELECT 'refund by ' || origin || ' ' || status FROM refunds
    UNION ALL SELECT 'part captured' FROM payments WHERE amount_captured BETWEEN 0.01 AND amount - 0.01
    UNION ALL SELECT 'capture at the provider' FROM provider_notifications WHERE notification_id LIKE 'sbn_capture-%'
    UNION ALL SELECT 'dispute ' || status FROM disputes
    UNION ALL SELECT 'settled by hand as ' || (details->>'outcome') FROM audit_entries WHERE action = 'operation.settled'
    UNION ALL SELECT to_status || ' (' || cause || ')' FROM payment_status_changes
      WHERE cause IN ('authorization_expired', 'refund_failed', 'settled_by_operator', 'expired') AND from_status <> to_status
    UNION ALL SELECT 'alarm ' || reason FROM provider_notifications WHERE outcome = 'alarm'
  ) made GROUP BY what ORDER BY what`;

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8 AS ${column}`;

/** Whether a request can belong to an attempt, by both clocks. */
export const arrivesWithin =
  (evidence: Pick<Evidence, 'clockSteps'>) =>
  ({ arrivedAt }: Receipt, { started_at, duration_ms }: AttemptRow): boolean => {
    const tolerance = toleranceAt(evidence, arrivedAt) + RECEIVERS_READING_MS;
    return arrivedAt >= started_at - tolerance && arrivedAt <= started_at + duration_ms + tolerance;
  };

const PAGE = 20_000;

async function receiptsOf(receivers: Receivers['receivers']): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (let page: Receipt[]; (page = await receivers.call('read', receipts.length, PAGE)).length > 0;) {
    receipts.push(...page);
  }
  return receipts;
}

/** The row of each delivery, by the number that receivers store of its webhook-id. */
async function receiptNumbers(
  postgres: Postgres,
  { receiptNumber, all }: DeliveryTables,
): Promise<Map<number, number>> {
  const rows = await postgres.query<{ number: number; id: number }>(
    `SELECT ${receiptNumber} AS number, d.id FROM ${all} d`,
  );
  return new Map(rows.map(({ number, id }) => [number, id]));
}

/** A webhook-id without a delivery keeps a number that no row has. */
const withRows = (receipts: Receipt[], rows: Map<number, number>): Receipt[] =>
  receipts.map((receipt) => ({ ...receipt, deliveryId: rows.get(receipt.deliveryId) ?? -receipt.deliveryId }));

/** The payment and the endpoint of a delivery: its changes have an order. */
export const orderOf = ({ payment_id, endpoint_id }: DeliveryRow): string =>
  `payment ${payment_id}, endpoint ${endpoint_id}`;

/** Groups rows by a column, in their order. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** Effects of a fault may last this long after its end. */
const AFTERMATH_MS = 5_000;

/** Whether no other fault and none of its effects overlapped. */
export const isIsolated = (record: FaultRecord, faults: readonly FaultRecord[]): boolean =>
  faults.every(
    (other) => other === record || other.from > record.to + AFTERMATH_MS || other.to + AFTERMATH_MS < record.from,
  );

// The upper bound: delivery without framework, queue, fairness, order and guards. Two loops in one process claim 200
// due rows with SKIP LOCKED, sign, post over kept-alive connections, and record attempts and rows in one statement.
// Headers and bytes are the product's; the tables are the obvious ones (plain-tables.ts).
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';
import { serve } from '../support/remote.js';

const BATCH = 200;
const LOOPS = 2;
const CONNECTIONS = 64;
const TIMEOUT_MS = 3_000;

interface Row {
  id: string;
  webhook_endpoint: string;
  request_body: string;
}

interface Attempt {
  id: string;
  /** `null`: no answer. */
  status: number | null;
  startedAt: Date;
  durationMs: number;
  body: string;
}

const CLAIM = {
  name: 'claim',
  text: `UPDATE plain_deliveries d SET claimed_until = statement_timestamp() + interval '30 s'
    WHERE d.id = ANY (ARRAY(
      SELECT id FROM plain_deliveries
      WHERE status = 'pending' AND next_attempt_at <= statement_timestamp() AND claimed_until <= statement_timestamp()
      ORDER BY lane_id, next_attempt_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
    RETURNING d.id, d.webhook_endpoint, d.request_body`,
};

const RECORD = {
  name: 'record',
  text: `WITH r AS (
      SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::timestamptz[], $4::int[], $5::text[])
        AS r (id, status_code, started_at, duration_ms, body)),
    updated AS (
      UPDATE plain_deliveries d SET attempts = attempts + 1, attempts_in_run = attempts_in_run + 1,
        claimed_until = '-infinity', last_status_code = r.status_code, last_attempt_at = r.started_at,
        status = CASE WHEN r.status_code BETWEEN 200 AND 299 THEN 'delivered' ELSE 'pending' END,
        delivered_at = CASE WHEN r.status_code BETWEEN 200 AND 299 THEN statement_timestamp() END,
        next_attempt_at = CASE WHEN r.status_code BETWEEN 200 AND 299 THEN NULL ELSE statement_timestamp() + interval '10 s' END
      FROM r WHERE d.id = ANY ($1) AND d.id = r.id AND d.status = 'pending'
      RETURNING d.id, d.attempts, r.started_at, r.duration_ms, r.status_code, r.body)
    INSERT INTO plain_attempts (delivery_id, number, started_at, duration_ms, status_code, response_body)
    SELECT id, attempts, started_at, duration_ms, status_code, body FROM updated`,
};

let database: pg.Pool;
const receivers = new Map<string, Pool>();
let secret: string;
let standardKey: Buffer;

async function start(options: { databaseUrl: string; secret: string }): Promise<void> {
  database = new pg.Pool({ connectionString: options.databaseUrl, max: LOOPS });
  database.on('error', () => undefined);
  secret = options.secret;
  standardKey = Buffer.from(secret.slice('whsec_'.length), 'base64');
  await database.query('SELECT 1');
}

/** Delivers until nothing is due. */
async function drain(): Promise<void> {
  await Promise.all(Array.from({ length: LOOPS }, loop));
}

async function loop(): Promise<void> {
  for (;;) {
    const { rows } = await database.query<Row>(CLAIM);
    if (rows.length === 0) return;
    const attempts = await Promise.all(rows.map(post));
    await database.query({
      ...RECORD,
      values: [
        attempts.map((attempt) => attempt.id),
        attempts.map((attempt) => attempt.status),
        attempts.map((attempt) => attempt.startedAt),
        attempts.map((attempt) => attempt.durationMs),
        attempts.map((attempt) => attempt.body),
      ],
    });
  }
}

function receiverAt(origin: string): Pool {
  let receiver = receivers.get(origin);
  if (!receiver) {
    receiver = new Pool(origin, { connections: CONNECTIONS, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    receivers.set(origin, receiver);
  }
  return receiver;
}

function post({ id, webhook_endpoint: endpoint, request_body: text }: Row): Promise<Attempt> {
  const body = Buffer.from(text, 'utf8');
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const standard = createHmac('sha256', standardKey).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'bench',
    Signature: createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
  const path = endpoint.indexOf('/', 8);
  const startedAt = new Date();
  let status: number | null = null;
  let answer = '';
  return new Promise((resolve) => {
    const end = (): void =>
      resolve({ id, status, startedAt, durationMs: Date.now() - startedAt.getTime(), body: answer });
    receiverAt(endpoint.slice(0, path)).dispatch(
      { method: 'POST', path: endpoint.slice(path), headers, body },
      {
        onRequestStart: () => undefined, // without it undici takes this for a handler of its old interface
        onResponseStart: (_controller, code) => void (status = code),
        onResponseData: (_controller, chunk) => void (answer += chunk.toString('utf8')),
        onResponseEnd: end,
        onResponseError: () => {
          status = null;
          end();
        },
      },
    );
  });
}

const methods = { start, drain };
export type ClaimPostRecordMethods = typeof methods;

serve(methods, () => database.end());

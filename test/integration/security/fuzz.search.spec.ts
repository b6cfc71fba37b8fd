import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiClient, PatientClient } from '../../support/app/api-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { DocumentedAnswers } from '../../support/fuzz/documented-answers.js';
import { type FuzzMaterial, requestsFor } from '../../support/fuzz/fuzz-arbitraries.js';
import { fuzzMaterial } from '../../support/fuzz/fuzz-material.js';
import { NOTIFICATION_SECRET } from '../../support/app/merchant.js';
import {
  committedOpenApi,
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from '../../support/fuzz/openapi-operations.js';
import { type RawAnswer, rawClient, type RawRequest } from '../../support/fuzz/raw-request.js';
import { ReadBack } from '../../support/fuzz/read-back.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { FACTOR, runs } from '../../support/fuzz/runs.js';

// Requests generated from the OpenAPI document; two thirds of them have an error. No response may be a fault of the
// service, each must match the document, and accepted values must come back. FUZZ_SEED repeats a run, GENERATED_FACTOR
// multiplies its length.

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const REQUESTS_WITH_BODY = 16;
const REQUESTS_WITHOUT_BODY = 4;
/** They are read back in more places than others. */
const PAYMENTS = 40;
/** Each needs a hash that is slow on purpose. */
const TOKEN_REQUESTS = 3;
/** So many requests to an operation that it accepts some of them. */
const ENOUGH_REQUESTS = 60;
const TIMEOUT_MS = 300_000 * FACTOR;
const MOST_TRIES = 3;

let database: TestDatabase;
let receiver: Receiver;
let service: InProcessService;
let client: ReturnType<typeof rawClient>;
let authorization: string;
let document: OpenApiDocument;
let material: FuzzMaterial;
let sent = 0;
let sentAgain = 0;
const byStatus = new Map<number, number>();

beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  // the test runs in the process of the service, so waiting for the sandbox also blocks the test
  const env = { WEBHOOK_TIMEOUT_MS: '300', PROVIDER_TIMEOUT_MS: '5000' };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  client = rawClient(service.url);
  const api = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  authorization = `Bearer ${api.token}`;
  document = committedOpenApi();
  material = await fuzzMaterial(new PatientClient(service.url, api.token), receiver.url, database.pool);
});

afterAll(async () => {
  const statuses = [...byStatus].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `fuzz: seed ${SEED}, requests sent: ${sent}, again after a 503: ${sentAgain} (${statuses.join(', ')})\n`,
  );
  client?.close();
  await service?.stop();
  await receiver?.stop();
  await database?.drop();
});

function runsOf({ name, body, method, parameters }: Operation): number {
  if (name === 'POST /auth/token') return runs(TOKEN_REQUESTS);
  if (name === 'POST /payments') return runs(PAYMENTS);
  // nothing can be varied
  if (method === 'GET' && parameters.length === 0) return 1;
  return body ? runs(REQUESTS_WITH_BODY, 1 / 2) : runs(REQUESTS_WITHOUT_BODY);
}

async function send(request: RawRequest): Promise<RawAnswer> {
  sent += 1;
  const signature = createHmac('sha256', NOTIFICATION_SECRET)
    .update(request.body ?? '')
    .digest('hex');
  const headers = { authorization, signature, ...request.headers };
  let answer = await client.send({ ...request, headers });
  // a busy machine serves the request a little later; a fault of the service stays one
  for (let tries = 1; tries < MOST_TRIES && answer.status === 503; tries++) {
    sentAgain += 1;
    answer = await client.send({ ...request, headers });
  }
  byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1);
  return answer;
}

/** The first request with a wrong response, reduced as far as possible. */
async function findFault(operation: Operation, answers: DocumentedAnswers, readBack: ReadBack): Promise<string[]> {
  let accepted = 0;
  const property = fc.asyncProperty(requestsFor(document, operation, material), async (request) => {
    const answer = await send(request);
    const errors = answers.errors(operation, answer);
    if (errors.length === 0 && answer.status < 300) {
      accepted += 1;
      // the answer to an earlier request, or an entry that has the same token
      const isReplayed = answer.headers['idempotent-replayed'] === 'true';
      if (!isReplayed) errors.push(...(await readBack.errors(operation, request, answer)));
    }
    if (errors.length > 0) throw new Error(`${errors.join()} | ${shown(request)} | ${answer.text.slice(0, 500)}`);
  });
  const run = await fc.check(property, {
    seed: SEED,
    numRuns: runsOf(operation),
    interruptAfterTimeLimit: TIMEOUT_MS / 10,
  });
  if (run.failed) return [`${operation.name}: path ${run.counterexamplePath}: ${String(run.errorInstance)}`];
  // an operation that refuses everything was not tested
  const isTested = accepted > 0 || run.numRuns < ENOUGH_REQUESTS || isRefusedToAll(operation);
  return isTested ? [] : [`${operation.name}: nothing was accepted`];
}

/** No generated request has a client's secret, or the reference that only a payer's browser has. */
const isRefusedToAll = ({ name }: Operation): boolean =>
  name === 'POST /auth/token' || name === 'GET /providers/{provider}/return/{reference}';

const shown = ({ method, path, headers, body }: RawRequest): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${String(body).slice(0, 600)}`;

describe('Generated requests', () => {
  it(
    'get documented responses, and accepted values come back',
    async () => {
      const answers = new DocumentedAnswers(document);
      const readBack = new ReadBack(operationsOf(document), send, database.pool);
      const isLast = ({ method, path }: Operation): boolean => method === 'DELETE' || /erase/.test(path);
      const operations = operationsOf(document).sort((one, other) => Number(isLast(one)) - Number(isLast(other)));
      const faults: string[] = [];
      for (const operation of operations) faults.push(...(await findFault(operation, answers, readBack)));
      expect(faults).toEqual([]);
      const { payments, webhooks, others } = readBack.compared;
      process.stdout.write(`fuzz: read back ${payments} payments, ${webhooks} webhooks, ${others} other objects\n`);
      for (const compared of [payments, webhooks, others]) expect(compared).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it('leave the service healthy', async () => {
    expect((await send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
    const faults = service
      .logs()
      .split('\n')
      .filter((line) => /"msg":"request failed"|"level":"fatal"/.test(line));
    expect(faults).toEqual([]);
  });
});

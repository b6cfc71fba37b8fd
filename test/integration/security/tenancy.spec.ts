import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../../src/access/scopes.js';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { TokenMaker, type TokenSubject } from '../../support/hostile/forged-tokens.js';
import {
  committedOpenApi,
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from '../../support/fuzz/openapi-operations.js';
import { type IdPlace, OperationCalls } from '../../support/fuzz/operation-calls.js';
import { type SeededMerchant, seedMerchant } from '../../support/app/seeded-merchant.js';
import { type RawAnswer, rawClient, type RawRequest } from '../../support/fuzz/raw-request.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';

// Every operation of the OpenAPI document × every attempt without the right token. Two merchants have one object of
// each kind. No response to the second merchant or to an unknown client may contain a mark of the first one.

/** Operations without a bearer token, with the reason. New ones must be added here. */
const PUBLIC: Record<string, string> = {
  'GET /health/live': 'reports only that the process runs',
  'GET /health/ready': 'reports only which dependencies are up',
  'GET /metrics': 'counts and durations, by route',
  'POST /auth/token': 'takes client credentials',
  'GET /.well-known/jwks.json': 'public keys',
  'GET /shops/{id}/jwks.json': 'public keys, and none for a shop that is unknown',
  'POST /providers/{provider}/notifications/{shopId}': "takes the provider's signature",
  'GET /providers/{provider}/return/{reference}':
    "takes a payment's unguessable reference, and returns only its return_url",
};

const UNKNOWN_NUMBER = 987_654_321_098;
const UNKNOWN_TEXT = 'an-unknown-one';
/** Headers that do not depend on the request. */
const VOLATILE_HEADERS = /^(date|content-length|x-request-id|(x-)?ratelimit.*|keep-alive|connection|retry-after)$/;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
let database: TestDatabase;
let receiver: Receiver;
let service: InProcessService;
let client: ReturnType<typeof rawClient>;
let document: OpenApiDocument;
let operations: Operation[];
let calls: OperationCalls;
let tokens: TokenMaker;
let [subject, stranger, revoked]: TokenSubject[] = [];
let [victim, attacker]: SeededMerchant[] = [];
let pairs = 0;

async function addClient(id: string, merchantId?: number): Promise<TokenSubject> {
  const client = await insertClient(database, { id, ...(merchantId !== undefined && { merchantId }) });
  return { clientId: id, merchantId: client.merchantId };
}

beforeAll(async () => {
  [database, receiver] = await Promise.all([
    createTestDatabase(),
    startReceiver({ headers: { 'content-type': 'text/plain' }, body: 'thanks' }),
  ]);
  const JWT_PRIVATE_KEY = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  // a long delay, so that the worker does not change the open charge meanwhile
  const env = { JWT_PRIVATE_KEY, JWT_SECRET: undefined, PROVIDER_RECOVERY_DELAYS_MS: '3600000' };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  client = rawClient(service.url);
  document = committedOpenApi();
  operations = operationsOf(document);
  calls = new OperationCalls(document);
  const { body } = await new ApiClient(service.url).get<{ keys: (JsonWebKey & { kid: string })[] }>(
    '/.well-known/jwks.json',
  );
  tokens = new TokenMaker(rsa.privateKey, body.keys[0]!);
  subject = await addClient('victim');
  stranger = await addClient('attacker');
  revoked = await addClient('revoked', subject.merchantId);
  await database.pool.query('UPDATE api_clients SET revoked_at = now() WHERE client_id = $1', [revoked.clientId]);
  victim = await seedMerchant(new ApiClient(service.url, await tokens.token(subject)), receiver.url);
  attacker = await seedMerchant(new ApiClient(service.url, await tokens.token(stranger)), receiver.url);
});

afterAll(async () => {
  process.stdout.write(`tenancy matrix: ${operations?.length} operations, operation × attack pairs: ${pairs}\n`);
  client?.close();
  await service?.stop();
  await receiver?.stop();
  await database?.drop();
});

const secured = (): Operation[] => operations.filter(({ scopes }) => scopes !== undefined);

/** A token with exactly the scopes that are documented for the operation. */
const justEnough = async (caller: TokenSubject, { scopes }: Operation): Promise<string> =>
  `Bearer ${await tokens.token(caller, { scope: scopes!.join(' ') })}`;

async function send(request: RawRequest, authorization: string | undefined): Promise<RawAnswer> {
  const headers = { ...request.headers, ...(authorization !== undefined && { authorization }) };
  return client.send({ ...request, headers });
}

/** Marks of the victim that the attacks themselves contain, so that they may come back. */
const brought = new Set<string>();

/** Marks of the victim in the response. */
function leaks(answer: RawAnswer, request: RawRequest): string[] {
  const shown = answer.text + JSON.stringify(answer.headers);
  const asked = request.path + String(request.body);
  for (const trace of victim!.traces) if (asked.includes(trace)) brought.add(trace);
  return victim!.traces.filter((trace) => shown.includes(trace) && !brought.has(trace));
}

/** Runs one attack; returns what is wrong with its response, if anything. */
async function attack(
  name: string,
  request: RawRequest,
  authorization: string | undefined,
  isRefused: (answer: RawAnswer) => boolean,
): Promise<string[]> {
  pairs += 1;
  const answer = await send(request, authorization);
  const leaked = leaks(answer, request);
  if (isRefused(answer) && leaked.length === 0) return [];
  return [`${name}: ${request.method} ${request.path}: ${answer.status} ${answer.text.slice(0, 200)} ${leaked.join()}`];
}

const isProblem =
  (status: number, code: string) =>
  (answer: RawAnswer): boolean =>
    answer.status === status &&
    answer.headers['www-authenticate'] !== undefined &&
    (JSON.parse(answer.text) as { code: string }).code === code;

/** Every row of the merchant, in every table with merchants, except statistics that workers count later. */
async function rowsOf({ merchantId }: TokenSubject): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.pool.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.columns WHERE column_name = 'merchant_id' AND table_schema = 'public'
       AND table_name <> 'delivery_minutes'`,
  );
  const contents = tables.map(async ({ table_name: table }) => {
    const sql = `SELECT t::text AS row FROM ${table} t WHERE merchant_id = $1 ORDER BY 1`;
    const { rows } = await database.pool.query<{ row: string }>(sql, [merchantId]);
    return [table, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

/** The response without the requested id, for comparison with the response to another id. */
function withoutIds({ status, headers, text }: RawAnswer, ids: (number | string)[]): unknown {
  const plain = Object.entries(headers).filter(([name]) => !VOLATILE_HEADERS.test(name));
  // a success differs in times and new ids; it was already searched for marks
  if (status < 400) return { status };
  const { request_id: _, ...body } = JSON.parse(text) as Record<string, unknown>;
  const masked = ids.reduce<string>(
    (shown, id) => shown.replaceAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), '#'),
    JSON.stringify({ plain, body }),
  );
  return { status, masked };
}

describe('Every operation', () => {
  it('requires a bearer token, or is listed here as public', () => {
    const open = operations.filter(({ scopes }) => scopes === undefined).map(({ name }) => name);
    expect(open.sort()).toEqual(Object.keys(PUBLIC).sort());
  });

  it('documents the scopes that its token needs', () => {
    const unsaid = secured().filter(
      ({ scopes }) => scopes!.length === 0 || scopes!.some((scope) => !(SCOPES as readonly string[]).includes(scope)),
    );
    expect(unsaid.map(({ name, scopes }) => [name, scopes])).toEqual([]);
  });

  it('succeeds with the documented scopes and the ids of real objects, so that the attacks are meaningful', async () => {
    const failures: string[] = [];
    for (const operation of secured().filter(({ method }) => method === 'GET')) {
      const authorization = await justEnough(subject!, operation);
      const { status, text } = await send(calls.call(operation, victim!.ids), authorization);
      if (status !== 200) failures.push(`${operation.name}: ${status} ${text}`);
    }
    expect(failures).toEqual([]);
  });
});

describe('A request without the right token', () => {
  it('gets 401 from every operation with a token, and changes nothing', async () => {
    const before = await rowsOf(subject!);
    const failures: string[] = [];
    const refused = Object.entries(await tokens.refused(subject!, revoked!));
    for (const operation of secured()) {
      const request = calls.call(operation, victim!.ids);
      for (const [name, authorization] of refused) {
        failures.push(...(await attack(name, request, authorization, isProblem(401, 'unauthorized'))));
      }
    }
    expect(failures).toEqual([]);
    expect(await rowsOf(subject!)).toEqual(before);
  });

  it('gets 401 before its body or query are read', async () => {
    const failures: string[] = [];
    for (const operation of secured()) {
      const { path } = calls.call(operation, victim!.ids);
      const request = {
        method: operation.method,
        path: withQuery(path, 'limit=x&cursor=x'),
        body: '{"broken',
        headers: {},
      };
      const broken = operation.body ? { ...request, headers: { 'content-type': 'application/json' } } : request;
      const plain = operation.body ? broken : { ...request, body: undefined };
      failures.push(...(await attack('a broken request', plain, undefined, isProblem(401, 'unauthorized'))));
    }
    expect(failures).toEqual([]);
  });

  it('gets 401 also as HEAD', async () => {
    const failures: string[] = [];
    for (const operation of secured().filter(({ method }) => method === 'GET')) {
      const request = { ...calls.call(operation, victim!.ids), method: 'HEAD' };
      failures.push(...(await attack('HEAD', request, undefined, ({ status }) => status === 401)));
    }
    expect(failures).toEqual([]);
  });

  it('gets 403 when the token lacks a scope, and changes nothing', async () => {
    const before = await rowsOf(subject!);
    const failures: string[] = [];
    for (const operation of secured()) {
      const request = calls.call(operation, victim!.ids);
      const others = operation.scopes!.map((missing) => SCOPES.filter((scope) => scope !== missing).join(' '));
      for (const scope of [...others, '', 'admin *']) {
        const authorization = `Bearer ${await tokens.token(subject!, { scope })}`;
        const name = `with the scopes ${scope}`;
        failures.push(...(await attack(name, request, authorization, isProblem(403, 'insufficient_scope'))));
      }
    }
    expect(failures).toEqual([]);
    expect(await rowsOf(subject!)).toEqual(before);
  });

  it('gets no data of a merchant from operations without a token', async () => {
    const failures: string[] = [];
    const unknownTokens = { 'of another merchant': `Bearer ${await tokens.token(stranger!)}` };
    const refused = Object.entries({ ...(await tokens.refused(subject!, revoked!)), ...unknownTokens });
    for (const operation of operations.filter(({ scopes }) => scopes === undefined)) {
      const request = calls.call(operation, victim!.ids);
      for (const [name, authorization] of refused) {
        failures.push(...(await attack(name, request, authorization, ({ status }) => status < 500)));
      }
    }
    expect(failures).toEqual([]);
  });
});

describe("Another merchant's token", () => {
  let authorization: string;
  beforeAll(async () => {
    authorization = `Bearer ${await tokens.token(stranger!)}`;
  });

  /** The response to an id of the victim must equal the response to an unknown id. */
  async function compare(operation: Operation, real: RawRequest, unknown: RawRequest, ids: (number | string)[]) {
    const failures = await attack('of another merchant', real, authorization, ({ status }) => status < 500);
    const [one, other] = [await send(real, authorization), await send(unknown, authorization)];
    const [seen, expected] = [withoutIds(one, ids), withoutIds(other, ids)];
    const isSame = JSON.stringify(seen) === JSON.stringify(expected);
    return isSame
      ? failures
      : [...failures, `${operation.name} ${JSON.stringify([real, seen, expected])}: not as an unknown id`];
  }

  it('finds no object of the first merchant: 404, as for an unknown id', async () => {
    const before = await rowsOf(subject!);
    const failures: string[] = [];
    for (const operation of secured().filter(({ path }) => path.includes('{'))) {
      const real = { ...calls.call(operation, attacker!.ids), path: OperationCalls.path(operation, victim!.ids) };
      const unknownIds = Object.fromEntries(Object.keys(victim!.ids).map((kind) => [kind, UNKNOWN_NUMBER]));
      const unknown = { ...real, path: OperationCalls.path(operation, unknownIds) };
      const foreign = Object.values(victim!.ids);
      const enough = await justEnough(stranger!, operation);
      failures.push(...(await attack('of another merchant', real, enough, ({ status }) => status === 404)));
      failures.push(...(await compare(operation, real, unknown, [...foreign, UNKNOWN_NUMBER])));
    }
    expect(failures).toEqual([]);
    expect(await rowsOf(subject!)).toEqual(before);
  });

  it('gets the same response for an id of the first merchant in a query or body as for an unknown id', async () => {
    const before = await rowsOf(subject!);
    const failures: string[] = [];
    const seen: string[] = [];
    for (const operation of secured()) {
      for (const place of calls.idPlaces(operation, victim!.ids)) {
        const foreign = victim!.ids[place.kind]!;
        const nobodys = typeof foreign === 'number' ? UNKNOWN_NUMBER : UNKNOWN_TEXT;
        const [real, unknown] = [foreign, nobodys].map((id) => calls.call(operation, attacker!.ids, place, id));
        failures.push(...(await compare(operation, real!, unknown!, [foreign, nobodys])));
        seen.push(label(operation, place));
      }
    }
    expect(failures).toEqual([]);
    expect(await rowsOf(subject!)).toEqual(before);
    expect(seen).toContain('POST /flows body shops[].shop_id');
  });

  it('sees nothing of the first merchant in lists, also with its cursor', async () => {
    const failures: string[] = [];
    const owner = `Bearer ${await tokens.token(subject!)}`;
    const lists = secured().filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));
    expect(lists.length).toBeGreaterThan(3);
    for (const operation of lists) {
      const own = await send(
        { method: 'GET', path: withQuery(OperationCalls.path(operation, victim!.ids), 'limit=1') },
        owner,
      );
      const { next_cursor: cursor } = (JSON.parse(own.text) as { pagination: { next_cursor: string | null } })
        .pagination;
      const path = OperationCalls.path(operation, attacker!.ids);
      for (const query of ['', 'limit=100', ...(cursor === null ? [] : [`limit=100&cursor=${cursor}`])]) {
        const request = { method: 'GET', path: withQuery(path, query) };
        // a cursor may belong to its merchant: then it is refused without data
        const isHarmless = ({ status }: { status: number }) =>
          status === 200 || (status === 400 && query.includes('cursor'));
        failures.push(...(await attack('of another merchant', request, authorization, isHarmless)));
      }
    }
    expect(failures).toEqual([]);
  });

  it('works for its own objects, and shows nothing of the first merchant there', async () => {
    const failures: string[] = [];
    // operations that delete come last, or the others would find nothing; an erasure deletes more than they do
    const rank = ({ method, path }: Operation): number => (/erase|revoke/.test(path) ? 2 : Number(method === 'DELETE'));
    const inOrder = [...secured()].sort((one, other) => rank(one) - rank(other));
    for (const operation of inOrder) {
      const request = calls.call(operation, attacker!.ids);
      const isTaken = ({ status }: RawAnswer): boolean => status < 300 || status === 409;
      failures.push(...(await attack('of the owner', request, authorization, isTaken)));
    }
    expect(failures).toEqual([]);
  });
});

const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

const label = ({ name }: Operation, place: IdPlace): string => `${name} ${place.in} ${place.path}`;

import { createHmac, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { ApiClient } from '../app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../app/in-process-service.js';
import { insertClient } from '../app/insert-client.js';
import { NOTIFICATION_SECRET } from '../app/merchant.js';
import { type SeededMerchant, seedMerchant } from '../app/seeded-merchant.js';
import { DocumentedAnswers } from '../fuzz/documented-answers.js';
import { Markers } from '../fuzz/markers.js';
import { committedOpenApi, type Operation, operationsOf } from '../fuzz/openapi-operations.js';
import { OperationCalls } from '../fuzz/operation-calls.js';
import { type RawAnswer, rawClient, type RawRequest } from '../fuzz/raw-request.js';
import { TokenMaker, type TokenSubject } from '../hostile/forged-tokens.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import { type Receiver, startReceiver } from '../servers/receiver.js';
import type { Check } from './check.js';

/** A merchant with one object of each kind. */
export interface WalkedMerchant extends SeededMerchant, TokenSubject {
  authorization: string;
}

/** A line for a fault of the service, or for what ends it. */
const FAULT = /"msg":"request failed"|"level":"fatal"/;

/**
 * API and worker in this process, with merchants to which the checks send their requests. `victim` must never change.
 * The objects of `owner` are for one check; those of `careless` may change at any time.
 */
export class WalkedService {
  readonly document = committedOpenApi();
  readonly operations = operationsOf(this.document);
  readonly calls = new OperationCalls(this.document);
  /** Texts that must not be in the logs. */
  readonly markers = new Markers();
  tokens!: TokenMaker;
  victim!: WalkedMerchant;
  attacker!: WalkedMerchant;
  owner!: WalkedMerchant;
  careless!: WalkedMerchant;
  revoked!: TokenSubject;
  private readonly answers = new DocumentedAnswers(this.document);
  /** Marks of the victim that requests contained, so that they may come back. */
  private readonly brought = new Set<string>();
  private sent = 0;

  private constructor(
    readonly database: TestDatabase,
    private readonly receiver: Receiver,
    private readonly services: InProcessService[],
    private readonly client: ReturnType<typeof rawClient>,
  ) {}

  /** `onNewApi` uses the API before its first merchants exist, so that the first ids are its own. */
  static async start(onNewApi: (api: ApiClient, database: TestDatabase) => Promise<void>): Promise<WalkedService> {
    const [database, receiver] = await Promise.all([
      createTestDatabase(),
      startReceiver({ headers: { 'content-type': 'text/plain' }, body: 'thanks' }),
    ]);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const env = {
      JWT_PRIVATE_KEY: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      JWT_SECRET: undefined,
      LOG_LEVEL: 'trace',
      PROVIDER_TIMEOUT_MS: '3000',
      // a long delay, so that the worker does not change an open charge meanwhile
      PROVIDER_RECOVERY_DELAYS_MS: '3600000',
    };
    const api = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env });
    const walked = new WalkedService(database, receiver, [api], rawClient(api.url));
    const { body } = await new ApiClient(api.url).get<{ keys: (JsonWebKey & { kid: string })[] }>(
      '/.well-known/jwks.json',
    );
    walked.tokens = new TokenMaker(rsa.privateKey, body.keys[0]!);
    const newcomer = await insertClient(database, { id: 'newcomer' });
    await onNewApi(new ApiClient(api.url, await walked.tokens.token({ ...newcomer, clientId: newcomer.id })), database);
    walked.services.push(await startServiceInProcess({ entry: 'worker', databaseUrl: database.url, env }));
    await walked.addMerchants();
    return walked;
  }

  async stop(): Promise<void> {
    process.stdout.write(`every operation: ${this.operations.length} operations, ${this.sent} requests\n`);
    this.client.close();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.receiver.stop();
    await this.database.drop();
  }

  secured(): Operation[] {
    return this.operations.filter(({ scopes }) => scopes !== undefined);
  }

  bearer = async (subject: TokenSubject, scopes?: readonly string[]): Promise<string> =>
    `Bearer ${await this.tokens.token(subject, scopes && { scope: scopes.join(' ') })}`;

  async send(request: RawRequest): Promise<RawAnswer> {
    this.sent += 1;
    return this.client.send(request);
  }

  /**
   * Everything that is wrong with the answers that operations give to a check: with those of the check itself, with any
   * that differs from the document or shows the victim's data to others, and with the logs.
   */
  async faultsOf(check: Check, operations = this.operations): Promise<string[]> {
    const before = this.services.map((service) => service.logs().length);
    const faults: string[] = [];
    for (const operation of operations) {
      for (const attempt of await check.attempts(operation)) {
        const { what, requests } = attempt;
        const answers: RawAnswer[] = [];
        for (const request of requests) answers.push(await this.send(request));
        const all = [
          ...(attempt.faults?.(...answers) ?? []),
          ...answers.flatMap((answer, index) => this.generalFaults(operation, requests[index]!, answer)),
        ];
        const shown = requests.map(({ method, path, body }) => `${method} ${path} ${String(body).slice(0, 300)}`);
        const answered = answers.map(({ status, text }) => `${status} ${text.slice(0, 300)}`);
        if (all.length > 0) faults.push(`${operation.name}: ${what}: ${[...all, ...shown, ...answered].join(' | ')}`);
      }
    }
    const logs = this.services.map((service, index) => service.logs().slice(before[index])).join('\n');
    return [...faults, ...logs.split('\n').filter((line) => FAULT.test(line)), ...this.markers.leaksIn(logs)];
  }

  private generalFaults(operation: Operation, request: RawRequest, answer: RawAnswer): string[] {
    const isOther = request.method !== operation.method;
    return [
      ...(isOther ? [] : this.answers.errors(operation, answer)),
      ...(request.headers?.['authorization'] === this.victim.authorization ? [] : this.leaks(request, answer)),
    ];
  }

  private leaks({ path, body }: RawRequest, { text, headers }: RawAnswer): string[] {
    const [asked, shown] = [path + String(body), text + JSON.stringify(headers)];
    const { traces } = this.victim;
    for (const trace of traces) if (asked.includes(trace)) this.brought.add(trace);
    return traces.filter((trace) => shown.includes(trace) && !this.brought.has(trace)).map((trace) => `shows ${trace}`);
  }

  /** Every row of the victim, in every table with merchants, except statistics that workers count later. */
  async rowsOfVictim(): Promise<Record<string, string[]>> {
    const { rows: tables } = await this.database.pool.query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.columns WHERE column_name = 'merchant_id' AND table_schema = 'public'
         AND table_name NOT IN ('delivery_minutes', 'approval_cells')`,
    );
    const contents = tables.map(async ({ table_name: table }) => {
      const sql = `SELECT t::text AS row FROM ${table} t WHERE merchant_id = $1 ORDER BY 1`;
      const { rows } = await this.database.pool.query<{ row: string }>(sql, [this.victim.merchantId]);
      return [table, rows.map(({ row }) => row)] as const;
    });
    return Object.fromEntries(await Promise.all(contents));
  }

  private async addMerchants(): Promise<void> {
    const names = ['victim', 'attacker', 'owner', 'careless'] as const;
    for (const name of names) this[name] = await this.addMerchant(name);
    const { merchantId } = this.victim;
    this.revoked = { clientId: (await insertClient(this.database, { id: 'revoked', merchantId })).id, merchantId };
    await this.database.pool.query(`UPDATE api_clients SET revoked_at = now() WHERE client_id = 'revoked'`);
  }

  private async addMerchant(clientId: string): Promise<WalkedMerchant> {
    const { merchantId } = await insertClient(this.database, { id: clientId });
    const subject = { clientId, merchantId };
    const token = this.markers.add('token', await this.tokens.token(subject));
    for (const part of token.split('.').slice(1)) this.markers.add('part of a token', part);
    const seeded = await seedMerchant(new ApiClient(this.services[0]!.url, token), this.receiver.url);
    return { ...seeded, ...subject, authorization: `Bearer ${token}` };
  }
}

/** The provider's signature of a notification. */
export const signatureOf = (body: RawRequest['body'] = ''): string =>
  createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex');

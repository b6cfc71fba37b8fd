import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ApiClientsService } from '../../auth/api-clients.service.js';
import { secretTagOf } from '../../auth/token-claims.js';
import { TokenService } from '../../auth/token.service.js';
import { type RunningApplication, startApplication, stopApplication } from '../../bootstrap/start-application.js';
import type { Config } from '../../platform/config/config.js';
import { Clock, SystemClock } from '../../shared/clock.js';
import { PENDING_DELIVERIES } from '../../shared/relations.js';
import { Random } from '../../shared/random.js';
import { EndpointOutcomes } from '../../webhooks/endpoint/health/endpoint-outcomes.js';
import { Reconciler } from '../../webhooks/engine/reconciler.js';
import { PastClock } from './past-clock.js';

const POLL_MS = 15;
const CALM_TIMEOUT_MS = 5_000;

/** Work that the service does at once. */
const IS_BUSY = `SELECT EXISTS (SELECT FROM ${PENDING_DELIVERIES} d WHERE d.due_at <= clock_timestamp()) AS busy`;

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT';

/** The API and a worker in this process, at a time that one sets. */
export class PastService {
  /** The time that was set last. */
  time = new Date();
  /** Comes before the ids of clients in `call`. */
  prefix = '';
  private readonly tokens = new Map<string, string>();

  private constructor(
    private readonly clock: PastClock,
    private readonly applications: RunningApplication[],
  ) {}

  /** Starts both at `time`. */
  static async start(config: Config, databaseUrl: string, logger: Logger, time: Date): Promise<PastService> {
    const clock = await PastClock.start(databaseUrl);
    await clock.set(time);
    const applications: RunningApplication[] = [];
    for (const role of ['api', 'worker'] as const) {
      applications.push(await startApplication(role, config, clock.url, logger));
    }
    return new PastService(clock, applications);
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.applications[0]!.app.get<T>(type, { strict: false });
  }

  /** Sets the time for all that follows. Call it when no request is under way. */
  async setTime(time: Date): Promise<void> {
    this.time = time;
    await this.clock.set(time);
    for (const { app } of this.applications) {
      app.get(SystemClock, { strict: false }).steer(time.getTime(), performance.now());
    }
    this.tokens.clear();
  }

  /** Resolves when the webhooks that are due are sent, and the counts of endpoints are written. */
  async calm(): Promise<void> {
    const worker = this.applications[1]!.app;
    for (const end = performance.now() + CALM_TIMEOUT_MS; performance.now() < end; await delay(POLL_MS)) {
      const [row] = await this.clock.query<{ busy: boolean }>(IS_BUSY);
      if (!row!.busy) break;
      // retries are found by the reconciler only, which would come a little later
      await worker.get(Reconciler, { strict: false }).job.run(new AbortController().signal);
    }
    await worker.get(EndpointOutcomes, { strict: false }).flush();
  }

  /** The answer to a request of a client. */
  async call<T>(clientId: string, method: Method, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.address + path, {
      method,
      headers: {
        authorization: `Bearer ${await this.tokenOf(clientId)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    const answer = text === '' ? {} : (JSON.parse(text) as { data?: unknown });
    return (answer.data ?? answer) as T;
  }

  /** Resolves when `isTrue`, which another process of the story makes so. Rejects after a while. */
  async until(isTrue: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + CALM_TIMEOUT_MS; !(await isTrue()); await delay(POLL_MS)) {
      if (performance.now() > end) throw new Error('the sandbox has sent no notification');
    }
  }

  /** A provider's signed notification to a shop. */
  async notify(shopId: number, body: string, signature: (body: string) => string): Promise<void> {
    const response = await fetch(`${this.address}/providers/sandbox/notifications/${shopId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', signature: signature(body) },
      body,
    });
    if (!response.ok) throw new Error(`a notification was answered with ${response.status}: ${await response.text()}`);
  }

  get address(): string {
    return this.applications[0]!.address;
  }

  /** The token of a session: tokens by secrets would take 80 ms of CPU each. */
  private async tokenOf(clientId: string): Promise<string> {
    const known = this.tokens.get(clientId);
    if (known !== undefined) return known;
    const client = (await this.get(ApiClientsService).find(this.prefix + clientId))!;
    const session = {
      id: this.get(Random).uuid(),
      startedAt: this.get(Clock).now(),
      secretTag: secretTagOf(client.secretHash),
    };
    const token = (await this.get(TokenService).renew(client.clientId, session))!.accessToken;
    this.tokens.set(clientId, token);
    return token;
  }

  async stop(): Promise<void> {
    await Promise.all(this.applications.map(stopApplication));
    await this.clock.stop();
  }
}

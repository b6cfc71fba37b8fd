import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import type { SeededRandom } from '../../src/shared/seeded-random.js';
import type { NotificationFault } from './schedule.js';

const MAX_DELAY_MS = 3_000;
const RETRY_MS = 300;
const PATIENCE_MS = 60_000;

interface Notification {
  path: string;
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Forwards notifications from the provider to the API. During a fault it accepts them and forwards them later: out of
 * order, twice, or, when the fault is over, all of them in reverse order. It retries a notification for at most a
 * minute.
 */
export class NotificationRelay {
  private fault: NotificationFault | undefined;
  private held: Notification[] = [];
  private readonly underWay = new Set<Promise<void>>();

  private constructor(
    private readonly server: Server,
    private readonly target: string,
    private readonly random: SeededRandom,
  ) {
    server.on('request', (request, response) => {
      this.receive(request, response).catch(() => response.writeHead(502).end());
    });
  }

  /** `target`: the origin of the API. */
  static async start(port: number, target: string, random: SeededRandom): Promise<NotificationRelay> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new NotificationRelay(server, target, random);
  }

  /** `undefined` ends the fault. */
  setFault(fault: NotificationFault | undefined): void {
    this.fault = fault;
    for (const notification of this.held.splice(0).reverse()) this.forward(notification, 0);
  }

  /** Resolves when every accepted notification has been forwarded or given up. */
  async drain(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const headers = Object.fromEntries(
      ['content-type', 'signature'].flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const notification = { path: request.url ?? '/', body, headers };
    const status = this.fault ? this.accept(notification, this.fault) : await this.send(notification);
    response.writeHead(status).end();
  }

  private accept(notification: Notification, fault: NotificationFault): number {
    if (fault === 'held') this.held.push(notification);
    else this.forward(notification, this.random.next() * MAX_DELAY_MS);
    if (fault === 'doubled') this.forward(notification, this.random.next() * MAX_DELAY_MS);
    return 200;
  }

  private forward(notification: Notification, afterMs: number): void {
    const forwarded: Promise<void> = this.sendUntilAccepted(notification, afterMs).finally(() =>
      this.underWay.delete(forwarded),
    );
    this.underWay.add(forwarded);
  }

  private async sendUntilAccepted(notification: Notification, afterMs: number): Promise<void> {
    await delay(afterMs);
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(RETRY_MS)) {
      if ((await this.send(notification)) < 300) return;
    }
  }

  private async send({ path, body, headers }: Notification): Promise<number> {
    try {
      const response = await fetch(this.target + path, { method: 'POST', body: new Uint8Array(body), headers });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 502;
    }
  }
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import type { SeededRandom } from '../../test/support/seeded-random.js';
import type { NotificationTrouble } from './schedule.js';

const MOST_LATE_MS = 3_000;
const RETRY_MS = 300;
const PATIENCE_MS = 60_000;

interface Letter {
  path: string;
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * The way from the provider to the API. In trouble it takes what is sent, and brings it later: twice, in another order, or
 * all of it, from the last to the first, when the trouble is over. What it has taken it brings for a minute at most.
 */
export class NotificationRelay {
  private trouble: NotificationTrouble | undefined;
  private held: Letter[] = [];
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

  /** `target`: where the API is, without a path. */
  static async start(port: number, target: string, random: SeededRandom): Promise<NotificationRelay> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new NotificationRelay(server, target, random);
  }

  /** `undefined`: all is well again. */
  suffer(trouble: NotificationTrouble | undefined): void {
    this.trouble = trouble;
    for (const letter of this.held.splice(0).reverse()) this.bring(letter, 0);
  }

  /** Resolves when all that was taken has arrived, or was given up. */
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
    const letter = { path: request.url ?? '/', body, headers };
    const status = this.trouble ? this.take(letter, this.trouble) : await this.send(letter);
    response.writeHead(status).end();
  }

  private take(letter: Letter, trouble: NotificationTrouble): number {
    if (trouble === 'held') this.held.push(letter);
    else this.bring(letter, this.random.next() * MOST_LATE_MS);
    if (trouble === 'doubled') this.bring(letter, this.random.next() * MOST_LATE_MS);
    return 200;
  }

  private bring(letter: Letter, afterMs: number): void {
    const brought: Promise<void> = this.insist(letter, afterMs).finally(() => this.underWay.delete(brought));
    this.underWay.add(brought);
  }

  private async insist(letter: Letter, afterMs: number): Promise<void> {
    await delay(afterMs);
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(RETRY_MS)) {
      if ((await this.send(letter)) < 300) return;
    }
  }

  private async send({ path, body, headers }: Letter): Promise<number> {
    try {
      const response = await fetch(this.target + path, { method: 'POST', body: new Uint8Array(body), headers });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 502;
    }
  }
}

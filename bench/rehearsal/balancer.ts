import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readiness } from '../../src/cli/demo/managed-process.js';

const CHECK_EVERY_MS = 250;
const CHECK_TIMEOUT_MS = 1_000;

/** An API behind the balancer. */
interface Backend {
  port: number;
  isReady: boolean;
}

/**
 * Balances connections like a Kubernetes service or a TCP proxy: each connection goes to an API that is ready, round
 * robin. If none is ready it goes to any API that accepts it, so that the caller receives the reason.
 */
export class Balancer {
  private readonly sockets = new Set<Socket>();
  private next = 0;
  private isOver = false;

  private constructor(
    readonly port: number,
    private readonly backends: readonly Backend[],
    private readonly server: Server,
  ) {
    server.on('connection', (client) => void this.accept(client));
    for (const backend of backends) void this.watch(backend);
  }

  static async start(port: number, apiPorts: readonly number[]): Promise<Balancer> {
    const server = createServer({ noDelay: true }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(
      port,
      apiPorts.map((apiPort) => ({ port: apiPort, isReady: false })),
      server,
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async watch(backend: Backend): Promise<void> {
    for (; !this.isOver; await delay(CHECK_EVERY_MS, undefined, { ref: false })) {
      backend.isReady = (await readiness(`http://127.0.0.1:${backend.port}`, CHECK_TIMEOUT_MS)) === 200;
    }
  }

  private async accept(client: Socket): Promise<void> {
    this.keep(client);
    for (const backend of this.candidates()) {
      const api = await this.open(backend);
      if (!api) continue;
      if (client.destroyed) return void api.destroy();
      return join(client, api);
    }
    client.destroy();
  }

  /** All APIs, round robin, with the ready ones first. */
  private candidates(): Backend[] {
    const from = this.next++ % this.backends.length;
    const rotated = [...this.backends.slice(from), ...this.backends.slice(0, from)];
    return rotated.sort((one, other) => Number(other.isReady) - Number(one.isReady));
  }

  /** `undefined`: the port is closed. */
  private async open(backend: Backend): Promise<Socket | undefined> {
    const socket = connect({ port: backend.port, host: '127.0.0.1', noDelay: true });
    try {
      await once(socket, 'connect');
    } catch {
      backend.isReady = false;
      return undefined;
    }
    this.keep(socket);
    return socket;
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // `close` is emitted next
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** Data sent before an end still arrives, and a reset is passed on as a reset. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.once('close', (hadError) => (hadError ? to.resetAndDestroy() : to.end()));
  }
}

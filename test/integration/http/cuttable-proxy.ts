import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a server, with which a test can make the server unreachable and reachable again. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async before(target: URL): Promise<CuttableProxy> {
    const server = createServer((inbound) => {
      const outbound = connect(Number(target.port), target.hostname);
      for (const socket of [inbound, outbound]) {
        proxy.sockets.add(socket);
        socket.on('error', () => undefined).once('close', () => proxy.sockets.delete(socket));
      }
      inbound.pipe(outbound).pipe(inbound);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CuttableProxy(server, (server.address() as { port: number }).port);
    return proxy;
  }

  /** `url` with the proxy's address instead of the server's. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.host = `127.0.0.1:${this.port}`;
    return proxied.href;
  }

  /** Closes all connections and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async restore(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }
}

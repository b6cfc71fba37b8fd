import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receivers of webhooks on this machine, one for each path. */
export class Receivers {
  /** Paths that answer 503. */
  readonly down = new Set<string>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(this.down.has(request.url ?? '') ? 503 : 200).end());
    });
  }

  /** `port` 0: any free one. */
  static async start(port = 0): Promise<Receivers> {
    const receivers = new Receivers();
    await new Promise<void>((resolve, reject) => {
      receivers.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return receivers;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

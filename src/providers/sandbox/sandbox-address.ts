import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';

/** Every address of the machine, and the one that reaches it from the machine itself. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Where the sandbox, and a payer's browser, reach this API: `SANDBOX_NOTIFICATION_URL`, else where this process listens.
 * A process that does not serve the API takes the address that the settings give to the one that does.
 */
@Injectable()
export class SandboxAddress {
  private server: Server | undefined;

  constructor(@InjectConfig() private readonly config: Pick<Config, 'host' | 'port' | 'sandbox'>) {}

  /** The server that serves the API; its address is asked for when it is needed. */
  serveWith(server: Server): void {
    this.server = server;
  }

  /** Without a path, such as `http://127.0.0.1:3000`. */
  get url(): string {
    const { sandbox, host, port } = this.config;
    const address = this.server?.address();
    if (sandbox.notificationUrl !== undefined) return sandbox.notificationUrl;
    return typeof address === 'object' && address !== null
      ? httpUrl(address.address, address.port)
      : httpUrl(host, port);
  }
}

function httpUrl(host: string, port: number): string {
  const reachable = LOOPBACK[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

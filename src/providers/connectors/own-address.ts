import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';

/** Addresses that mean all of the machine's, and the loopback address that reaches the same process. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * The address at which connectors and a payer's browser reach this API: `SANDBOX_NOTIFICATION_URL`, else the address
 * of this process. A process that does not serve the API uses the address in the settings of the one that does.
 */
@Injectable()
export class OwnAddress {
  private server: Server | undefined;

  constructor(@InjectConfig() private readonly config: Pick<Config, 'host' | 'port' | 'sandbox'>) {}

  /** The server of the API; its address is read when it is needed. */
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

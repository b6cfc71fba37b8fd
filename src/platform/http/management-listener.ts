// Serves health and metrics on a port of their own. A caller that takes all connections of the API, or reaches it
// through a load balancer, reaches neither. The routes are the application's; a request to the wrong port finds no
// route.
//
// Why not a second Fastify: its routes would be registered, guarded and logged twice.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../../shared/problem.js';
import { answerClientError } from './problems/client-error.js';
import { ConnectionBounds } from './connection-bounds.js';
import type { ServerLimits } from './server-limits.js';

const PROBES = /^\/(health|metrics)(\/|$)/;

/**
 * The address on which a server listens, such as `http://0.0.0.0:3000`. It is not an address for clients, which Nest's
 * `getUrl` returns.
 */
export function listeningUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Probes and Prometheus need only a few connections; new ones replace idle ones. */
const PLACES = { maxConnections: 100, maxConnectionsPerAddress: 0 };

export class ManagementListener {
  private readonly requests = new WeakSet<IncomingMessage>();
  private server: Server;

  /** Call before hooks are added that answer unmatched routes. */
  attach(fastify: FastifyInstance, limits: ServerLimits, logger: Logger): void {
    const { maxHeaderSize, headersTimeout, requestTimeout, keepAliveTimeout, checkInterval } = limits;
    const timeouts = { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval: checkInterval };
    const bounds = new ConnectionBounds({ ...limits, ...PLACES }, logger);
    this.server = createServer({ maxHeaderSize, ...timeouts }, (request, response) => {
      this.requests.add(request);
      bounds.begin(request.socket);
      response.on('close', () => bounds.end(request.socket));
      fastify.routing(request, response);
    });
    this.server.on('clientError', answerClientError);
    bounds.attach(this.server);
    fastify.addHook('onRequest', (request, _reply, done) => {
      const isProbe = PROBES.test(request.routeOptions.url ?? request.url.split('?', 1)[0]!);
      done(isProbe === this.requests.has(request.raw) ? undefined : new Problem('route_not_found'));
    });
  }

  /** Resolves to the base URL; rejects with Node's error. */
  async listen(port: number, host: string): Promise<string> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return listeningUrl(this.server);
  }

  /** Closes all connections at once: probes of a stopped process need no response. */
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

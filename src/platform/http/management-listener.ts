// Why not a second Fastify: its routes would be registered, guarded and logged twice.
//
// Health and metrics on a port of their own: who takes all connections of the API, or is let through to it by a load
// balancer, reaches neither. The routes are the application's; a request to the wrong one of the two ports finds no route.
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

/** Where a server listens, such as `http://0.0.0.0:3000`: not an address to reach it by, as Nest's `getUrl` tells. */
export function listeningUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Probes and Prometheus need a few; further ones take the place of those that are idle. */
const PLACES = { maxConnections: 100, maxConnectionsPerAddress: 0 };

export class ManagementListener {
  private readonly requests = new WeakSet<IncomingMessage>();
  private server: Server;

  /** Call before hooks that answer for lack of a route. */
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

  /** At once: what asks for the state of a process that has stopped needs no answer. */
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

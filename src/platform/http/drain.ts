// How the server stops:
// - For half a second it still answers new requests, with `Connection: close`.
// - Then it accepts no connections, answers the requests in flight, and closes each connection as soon as it is idle.
//
// Node's `server.close()` leaves two kinds of connections open: those that never had a request, and those whose last
// response promised keep-alive. Why not Fastify's `forceCloseConnections`: `idle` cuts off requests that are arriving,
// and `true` also those in flight.
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** A connection in use gets its next request within this time; otherwise it is idle. */
const LINGER_MS = 500;
const POLL_MS = 20;

@Injectable()
export class Drain {
  private readonly sockets = new Set<Socket>();
  private draining = false;
  private closing = false;

  constructor(private readonly adapterHost: HttpAdapterHost<FastifyAdapter>) {}

  /** Whether this process is stopping, so that it no longer counts as ready. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** Call before the application is initialised. */
  attach(): void {
    const { fastify } = this;
    fastify.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.draining) reply.header('connection', 'close');
      done();
    });
    fastify.addHook('onResponse', (_request, _reply, done) => {
      if (this.closing) setImmediate(() => fastify.server.closeIdleConnections());
      done();
    });
  }

  /**
   * Reports not ready from now on. A request may be arriving on a connection that looks idle, and closing it would cut
   * that off. Resolves when no connection is left, or after half a second.
   */
  async linger(): Promise<void> {
    this.draining = true;
    const until = performance.now() + LINGER_MS;
    while (this.sockets.size > 0 && performance.now() < until) await delay(POLL_MS);
  }

  /** Resolves when all requests in flight have been answered. */
  async start(): Promise<void> {
    this.draining = true;
    this.closing = true;
    const closed = this.fastify.close();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  /** Cuts off the requests that are still in flight. */
  abort(): void {
    this.fastify.server.closeAllConnections();
  }

  private get fastify(): FastifyInstance {
    return this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
  }
}

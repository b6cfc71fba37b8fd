// Why not Fastify's `forceCloseConnections`: `idle` breaks off requests that are on their way, and `true` also those in flight.
//
// How the server stops: for a moment what comes is answered, with word that the connection ends with it; then no new
// connections, requests in flight are answered, and each connection is closed as soon as nothing is under way on it. Node's own `server.close()` leaves two kinds open: those that were opened ahead of a
// request that never came, and those whose last answer promised keep-alive.
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** A connection in use gets its next request within it; one that gets none until then is idle. */
const LINGER_MS = 500;
const POLL_MS = 20;

@Injectable()
export class Drain {
  private readonly sockets = new Set<Socket>();
  private draining = false;
  private closing = false;

  constructor(private readonly adapterHost: HttpAdapterHost<FastifyAdapter>) {}

  /** Whether this process is on its way out, so that it no longer counts as ready. */
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
   * Not ready from now on. On a connection that looks idle a request may be on its way, which closing it would break off.
   * Resolves when no connection is left, or after half a second.
   */
  async linger(): Promise<void> {
    this.draining = true;
    const until = performance.now() + LINGER_MS;
    while (this.sockets.size > 0 && performance.now() < until) await delay(POLL_MS);
  }

  /** Resolves when everything that was in flight has been answered. */
  async start(): Promise<void> {
    this.draining = true;
    this.closing = true;
    const closed = this.fastify.close();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  /** Breaks off what is still in flight. */
  abort(): void {
    this.fastify.server.closeAllConnections();
  }

  private get fastify(): FastifyInstance {
    return this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
  }
}

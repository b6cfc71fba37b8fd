// How the server stops: no new connections, requests in flight are answered, and each connection is closed as soon as
// nothing is under way on it. Node's own `server.close()` leaves two kinds open: those that were opened ahead of a
// request that never came, and those whose last answer promised keep-alive.
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

@Injectable()
export class Drain {
  private readonly sockets = new Set<Socket>();
  private draining = false;

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
    fastify.addHook('onResponse', (_request, _reply, done) => {
      if (this.draining) setImmediate(() => fastify.server.closeIdleConnections());
      done();
    });
  }

  /** Resolves when everything that was in flight has been answered. */
  async start(): Promise<void> {
    this.draining = true;
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

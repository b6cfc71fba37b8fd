import type { FastifyReply } from 'fastify';
import { SetMetadata } from '@nestjs/common';

/** The request, or the service itself, for which work is done. Adds up the cost of all parts of a request. */
export class WorkOwner {
  /** Computing time for the owner so far. */
  spentMs = 0;
  /** Permits charged so far. */
  charged = 0;

  constructor(
    readonly merchantId: number,
    /** The request; absent: the service itself asked for the work, and no client is charged. */
    readonly request?: { readonly clientId: string; readonly reply: FastifyReply },
  ) {}

  /** Whether the client has disconnected, so that the result is no longer needed. */
  get isGone(): boolean {
    return this.request?.reply.raw.destroyed ?? false;
  }
}

const CPU_BOUND = 'isCpuBound';

/**
 * Marks a route whose work runs in the CPU scheduler. Calculations do not yield to its requests, as they do to all
 * others.
 */
export const CpuBound = (): MethodDecorator => SetMetadata(CPU_BOUND, true);

/** `handler`: a route's method. */
export const isCpuBound = (handler: object): boolean => Reflect.hasOwnMetadata(CPU_BOUND, handler);

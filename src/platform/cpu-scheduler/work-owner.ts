import type { FastifyReply } from 'fastify';
import { SetMetadata } from '@nestjs/common';

/** Who work is done for. What it has cost so far is kept here: of one request, however many parts it has. */
export class WorkOwner {
  /** Computed for the owner so far. */
  spentMs = 0;
  /** Permits that were charged for it so far. */
  charged = 0;

  constructor(
    readonly merchantId: number,
    /** The request that asked for it; absent: the service itself did, and nobody is charged. */
    readonly request?: { readonly clientId: string; readonly reply: FastifyReply },
  ) {}

  /** Nobody waits for the result any more. */
  get isGone(): boolean {
    return this.request?.reply.raw.destroyed ?? false;
  }
}

const COMPUTES = 'isCpuBound';

/** On a route whose work is done in the fair queue: such requests do not make calculations give way, as all others do. */
export const CpuBound = (): MethodDecorator => SetMetadata(COMPUTES, true);

/** `handler`: a route's method. */
export const isCpuBound = (handler: object): boolean => Reflect.hasOwnMetadata(COMPUTES, handler);

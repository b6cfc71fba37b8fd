import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Injects an `AbortSignal` that is aborted when the client goes away before it is answered; for long work. */
export const ClientGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const gone = new AbortController();
  // emitted after a complete answer, too: nobody listens by then
  raw.once('close', () => gone.abort());
  return gone.signal;
});

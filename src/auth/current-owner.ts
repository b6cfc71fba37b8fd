import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { WorkOwner } from '../platform/fair-work/work-owner.js';
import type { Principal } from './principal.js';

/** Injects for whom a long calculation is done, so that its client is charged and nothing is done for one that is gone. */
export const CurrentOwner = createParamDecorator((_: unknown, context: ExecutionContext): WorkOwner => {
  const http = context.switchToHttp();
  const { merchantId, clientId } = http.getRequest<{ user: Principal }>().user;
  return new WorkOwner(merchantId, { clientId, reply: http.getResponse<FastifyReply>() });
});

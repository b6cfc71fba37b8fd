import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import type { Origin } from './origin.js';

/** Injects the request's `Origin` into a parameter of a controller method that takes a token. */
export const CurrentOrigin = createParamDecorator((_: unknown, context: ExecutionContext): Origin => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>();
  return { actor: 'client', clientId: request.user.clientId, address: request.ip, requestId: request.id };
});

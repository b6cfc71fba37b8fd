import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from '../platform/http/client-address.js';
import type { Principal } from '../access/access.js';

/** Who causes a change, and from where. */
export interface AuditContext {
  /** `cli`: the command line, on the server. `system`: the service itself, such as at its first start. */
  actor: 'client' | 'cli' | 'system';
  /** Of an API client; else `null`. */
  clientId: string | null;
  /** The address that the request came from. */
  address: string | null;
  /** The request's `X-Request-Id`. */
  requestId: string | null;
}

const local = (actor: 'cli' | 'system'): AuditContext => ({ actor, clientId: null, address: null, requestId: null });

export const SYSTEM = local('system');
export const COMMAND_LINE = local('cli');

/** Injects the request's `AuditContext` into a parameter of a controller method that takes a token. */
export const CurrentAuditContext = createParamDecorator((_: unknown, context: ExecutionContext): AuditContext => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>();
  return { actor: 'client', clientId: request.user.clientId, address: clientAddress(request), requestId: request.id };
});

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from '../platform/http/client-address.js';
import type { Principal } from '../access/access.js';
import { sessionToken } from '../access/request-token.js';

/** The actor of a change, and its origin. */
export interface AuditContext {
  /** `cli`: the command line, on the server. `system`: the service itself, for example at its first start. */
  actor: 'client' | 'cli' | 'system';
  /** The id of an API client; otherwise `null`. */
  clientId: string | null;
  /** The address of the request's sender. */
  address: string | null;
  /** The request's `X-Request-Id`. */
  requestId: string | null;
  /** Whether a person asked for it in the console. */
  isInConsole: boolean;
}

/** The actor's name, as records of a change keep it: the id of an API client, otherwise `cli` or `system`. */
export const actorName = ({ actor, clientId }: AuditContext): string => clientId ?? actor;

const local = (actor: 'cli' | 'system'): AuditContext => ({
  actor,
  clientId: null,
  address: null,
  requestId: null,
  isInConsole: false,
});

export const SYSTEM = local('system');
export const COMMAND_LINE = local('cli');

/** Injects the request's `AuditContext` into a parameter of a controller method that requires a token. */
export const CurrentAuditContext = createParamDecorator((_: unknown, context: ExecutionContext): AuditContext => {
  const request = context.switchToHttp().getRequest<FastifyRequest & { user: Principal }>();
  return {
    ...{ actor: 'client', clientId: request.user.clientId, address: clientAddress(request), requestId: request.id },
    isInConsole: request.headers.authorization === undefined && sessionToken(request) !== null,
  };
});

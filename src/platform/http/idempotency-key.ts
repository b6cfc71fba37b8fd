import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../shared/problem.js';

const NAME = 'Idempotency-Key';
const TAKES_KEY = 'http:takes-idempotency-key';
/** Methods whose requests change nothing. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const REPLAYED =
  'Up to 255 characters, kept for 7 days by default for all clients of the merchant. A repeat gets the first answer, with the header ' +
  'Idempotent-Replayed: true.';

/** The request header, as the API's document shows it. */
const headerOf = (description: string) => ({
  name: NAME,
  required: false,
  // no `example`: Swagger UI would send it with every request, and refuse the second one
  description: `${description} Example: \`order-A-1001\`.`,
  schema: { type: 'string' as const, pattern: '^[\\x21-\\x7e]{1,255}$' },
});

/** The header of an answer to a repeat. */
export const IDEMPOTENT_REPLAYED = {
  'Idempotent-Replayed': {
    description: '`true`: this is the answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

/** The route takes an `Idempotency-Key`; its method reads it with `IdempotencyKey`. */
export const TakesIdempotencyKey = (description = REPLAYED): MethodDecorator =>
  applyDecorators(SetMetadata(TAKES_KEY, true), ApiHeader(headerOf(description)));

/** The request's `Idempotency-Key`, if it has one; `IdempotencyKeyGuard` has checked it. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => keyOf(context));

/**
 * Refuses a key that is not printable ASCII, and any key on a route that would not use it: a client that sends one relies
 * on it. Throws `malformed_request`.
 */
@Injectable()
export class IdempotencyKeyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const key = keyOf(context);
    const { method } = context.switchToHttp().getRequest<FastifyRequest>();
    if (key === undefined || SAFE_METHODS.includes(method)) return true;
    if (!this.reflector.get<boolean | undefined>(TAKES_KEY, context.getHandler())) {
      throw refused('is not taken by this operation: leave the header out');
    }
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw refused('must be 1 to 255 printable ASCII characters without spaces');
    }
    return true;
  }
}

const keyOf = (context: ExecutionContext): string | undefined =>
  context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'] as string | undefined;

const refused = (message: string): Problem =>
  new Problem('malformed_request', { detail: `${NAME}: ${message}`, errors: [{ field: NAME, message }] });

import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../shared/problem.js';
import { MAX_FIELD_ERRORS, UNKNOWN_FIELD } from './validation/field-errors.js';

const TAKES_ANY_QUERY = 'http:takes-any-query';

/** The query belongs to another party: a provider, a probe, or the standard of the route. */
export const TakesAnyQuery = (): MethodDecorator & ClassDecorator => SetMetadata(TAKES_ANY_QUERY, true);

/**
 * Refuses a query on a route that declares none: a caller that sends a filter relies on it. `ValidationPipe` does the same
 * where a DTO declares the parameters. Throws `malformed_request`.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const names = Object.keys(context.switchToHttp().getRequest<FastifyRequest>().query as object);
    if (names.length === 0 || declaresQuery(context)) return true;
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(TAKES_ANY_QUERY, places)) return true;
    const errors = names.slice(0, MAX_FIELD_ERRORS).map((field) => ({ field, message: UNKNOWN_FIELD }));
    throw new Problem('malformed_request', { errors });
  }
}

/** Whether the method of the route has a parameter with `@Query()`. */
function declaresQuery(context: ExecutionContext): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as
    Record<string, unknown> | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}

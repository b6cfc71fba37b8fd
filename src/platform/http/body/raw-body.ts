import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { BodyConfig } from './body-parsers.js';

const readRawBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/**
 * Injects the request's body as the bytes that arrived, whatever its content type, for signatures over it. The route's
 * body is parsed by nobody: do so with `parseJsonBody` once the signature has been verified.
 */
export const RawBody = (): ParameterDecorator => (target, method, index) => {
  configureBody(target, method!, { rawBody: true });
  readRawBody()(target, method, index);
};

/** The route takes `application/x-www-form-urlencoded` besides JSON; both arrive in `@Body()`. */
export const AcceptsForm = (): MethodDecorator => (target, method) =>
  configureBody(target, method, { acceptsForm: true });

function configureBody(target: object, method: string | symbol, config: BodyConfig): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, method) as TypedPropertyDescriptor<unknown>;
  RouteConfig(config)(target, method, descriptor);
}

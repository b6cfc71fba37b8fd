import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Problem } from '../../../shared/problem.js';
import { hooksOf } from '../route-tokens.js';
import { parseJsonBody } from './json-body.js';
import { findUnsafeValue } from './json-value.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

/** The largest request body, in bytes. */
export const BODY_LIMIT = 262_144;

/** A larger one is not parsed before its merchant's turn to be validated has come, as neither can be sliced. */
export const SMALL_BODY_BYTES = 16_384;

/** On routes that take forms, of a body of any type: they are open to everybody, and need little. */
const FORM_LIMIT = 8_192;
const MAX_FORM_FIELDS = 20;

/** What a route's `config` says about its body; set by `@RawBody()` and `@AcceptsForm()`. */
interface BodyConfig {
  rawBody?: boolean;
  acceptsForm?: boolean;
}

/**
 * Stands in `request.body` for a body that could not be parsed. The validation pipe throws its problem, so that a caller
 * without a valid token hears of the token first.
 */
export class InvalidBody {
  constructor(readonly problem: Problem) {}
}

/** Stands in `request.body` for a large one: a caller without a token or permits is refused before it is parsed. */
export class LazyBody {
  constructor(private readonly bytes: Buffer) {}

  /** As `parseJsonBody`. */
  parse(): unknown {
    return parseJsonBody(this.bytes);
  }
}

/**
 * Why not `@fastify/formbody`: it takes forms on every route, and any number of fields.
 *
 * JSON for every route; forms and untouched bytes for those that ask; everything else is a 415. Call before there are routes.
 */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRoute', (route) => {
    const { rawBody, acceptsForm } = (route.config ?? {}) as BodyConfig;
    if (acceptsForm) route.bodyLimit = FORM_LIMIT;
    if (rawBody || acceptsForm) route.onRequest = [noteBodyConfig, ...hooksOf(route)];
  });
  const asBytes = { parseAs: 'buffer' } as const;
  fastify.addContentTypeParser<Buffer>('application/json', asBytes, (request, bytes, done) =>
    done(null, configs.get(request)?.rawBody ? bytes : jsonOf(bytes)),
  );
  fastify.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', asBytes, (request, bytes, done) => {
    const { rawBody, acceptsForm } = configs.get(request) ?? {};
    if (rawBody) done(null, bytes);
    else if (acceptsForm)
      done(
        null,
        readable(() => parseForm(bytes)),
      );
    else done(new Problem('unsupported_media_type'));
  });
  fastify.addContentTypeParser<Buffer>('*', asBytes, (request, bytes, done) => {
    if (configs.get(request)?.rawBody) done(null, bytes);
    else done(new Problem('unsupported_media_type'));
  });
}

/** Of the requests to routes that take more than JSON: to ask Fastify for a route's options takes it longer than to parse. */
const configs = new WeakMap<FastifyRequest, BodyConfig>();

function noteBodyConfig(request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
  configs.set(request, request.routeOptions.config as BodyConfig);
  done();
}

const jsonOf = (bytes: Buffer): unknown =>
  bytes.length > SMALL_BODY_BYTES ? new LazyBody(bytes) : readable(() => parseJsonBody(bytes));

function readable(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Problem) return new InvalidBody(error);
    throw error;
  }
}

/** A field that comes twice becomes an array, which no validator of a text field takes. */
function parseForm(bytes: Buffer): Record<string, string | string[]> {
  const fields = [...new URLSearchParams(bytes.toString('utf8'))];
  if (fields.length > MAX_FORM_FIELDS) {
    const detail = `a form takes at most ${MAX_FORM_FIELDS} fields, got ${fields.length}`;
    throw new Problem('validation_failed', { detail });
  }
  const form: Record<string, string | string[]> = {};
  for (const [name, value] of fields) {
    if (name !== '__proto__') form[name] = Object.hasOwn(form, name) ? [form[name]!, value].flat() : value;
  }
  const unusable = findUnsafeValue(form);
  if (unusable) throw new Problem('validation_failed', { errors: [unusable] });
  return form;
}

const readRawBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/**
 * Injects the request's body as the bytes that arrived, whatever its content type, for signatures over it. The route's
 * body is parsed by nobody: do so with `parseSignedJson` once the signature has been verified.
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

import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { Problem } from '../../../shared/problem.js';
import { parseJsonBody } from './json-body.js';
import { findUnsafeValue } from './json-value.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

/** The largest request body, in bytes. */
export const BODY_LIMIT = 262_144;

/** A larger body is parsed when the CPU scheduler lets its merchant validate it, because neither step can be sliced. */
export const SMALL_BODY_BYTES = 16_384;

/** Limit on routes that accept forms, for bodies of any type: these routes need no token, and little data. */
const FORM_LIMIT = 8_192;
const MAX_FORM_FIELDS = 20;

/** Body options in a route's `config`; set by `@RawBody()` and `@AcceptsForm()`. */
interface BodyConfig {
  rawBody?: boolean;
  acceptsForm?: boolean;
}

/**
 * Replaces `request.body` when the body could not be parsed. The validation pipe throws its problem, so that a caller
 * without a valid token gets the problem of the token first.
 */
export class InvalidBody {
  constructor(readonly problem: Problem) {}
}

/**
 * Replaces `request.body` for a large body: a caller without a token or permits is refused before the body is parsed.
 */
export class LazyBody {
  constructor(private readonly bytes: Buffer) {}

  /** Same contract as {@link parseJsonBody}. */
  parse(): unknown {
    return parseJsonBody(this.bytes);
  }
}

/** The `onRequest` hooks of a route. */
export const hooksOf = ({ onRequest = [] }: RouteOptions) => [onRequest].flat();

/**
 * Parses JSON on every route, and forms and raw bytes on the routes that ask for them; any other type is a 415. Call
 * before routes are added.
 *
 * Why not `@fastify/formbody`: it accepts forms on every route, with any number of fields.
 */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRoute', (route) => {
    const { rawBody, acceptsForm } = (route.config ?? {}) as BodyConfig;
    if (acceptsForm) route.bodyLimit = FORM_LIMIT;
    if (rawBody || acceptsForm) route.onRequest = [keepBodyConfig, ...hooksOf(route)];
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
        parseOrDefer(() => parseForm(bytes)),
      );
    else done(new Problem('unsupported_media_type'));
  });
  fastify.addContentTypeParser<Buffer>('*', asBytes, (request, bytes, done) => {
    if (configs.get(request)?.rawBody) done(null, bytes);
    else done(new Problem('unsupported_media_type'));
  });
}

/**
 * Body options of requests to routes that accept more than JSON: reading the route's options from Fastify takes longer
 * than parsing.
 */
const configs = new WeakMap<FastifyRequest, BodyConfig>();

function keepBodyConfig(request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void {
  configs.set(request, request.routeOptions.config as BodyConfig);
  done();
}

const jsonOf = (bytes: Buffer): unknown =>
  bytes.length > SMALL_BODY_BYTES ? new LazyBody(bytes) : parseOrDefer(() => parseJsonBody(bytes));

function parseOrDefer(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Problem) return new InvalidBody(error);
    throw error;
  }
}

/** A repeated field becomes an array, which no validator of a text field accepts. */
function parseForm(bytes: Buffer): Record<string, string | string[]> {
  const fields = [...new URLSearchParams(bytes.toString('utf8'))];
  if (fields.length > MAX_FORM_FIELDS) {
    const detail = `a form may have at most ${MAX_FORM_FIELDS} fields, got ${fields.length}`;
    throw new Problem('validation_failed', { detail });
  }
  const form: Record<string, string | string[]> = {};
  for (const [name, value] of fields) {
    if (name !== '__proto__') form[name] = Object.hasOwn(form, name) ? [form[name]!, value].flat() : value;
  }
  const unsafe = findUnsafeValue(form);
  if (unsafe) throw new Problem('validation_failed', { errors: [unsafe] });
  return form;
}

const readRawBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/**
 * Injects the request's body as the received bytes, for any content type, for signatures over it. The body is not
 * parsed: call `parseSignedJson` once the signature has been verified.
 */
export const RawBody = (): ParameterDecorator => (target, method, index) => {
  configureBody(target, method!, { rawBody: true });
  readRawBody()(target, method, index);
};

/** Lets the route accept `application/x-www-form-urlencoded` in addition to JSON; both arrive in `@Body()`. */
export const AcceptsForm = (): MethodDecorator => (target, method) =>
  configureBody(target, method, { acceptsForm: true });

function configureBody(target: object, method: string | symbol, config: BodyConfig): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, method) as TypedPropertyDescriptor<unknown>;
  RouteConfig(config)(target, method, descriptor);
}

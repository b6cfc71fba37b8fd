import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../../shared/problem.js';
import { findUnusable } from './json-value.js';
import { isUtf8 } from 'node:buffer';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

/** The largest request body, in bytes. */
export const BODY_LIMIT = 262_144;

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
export class UnreadableBody {
  constructor(readonly problem: Problem) {}
}

/** JSON for every route; forms and untouched bytes for those that ask; everything else is a 415. Call before there are routes. */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('onRoute', (route) => {
    const { acceptsForm } = (route.config ?? {}) as BodyConfig;
    if (acceptsForm) route.bodyLimit = FORM_LIMIT;
  });
  const asBytes = { parseAs: 'buffer' } as const;
  fastify.addContentTypeParser<Buffer>('application/json', asBytes, (request, bytes, done) =>
    done(null, configOf(request).rawBody ? bytes : readable(() => parseJsonBody(bytes))),
  );
  fastify.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', asBytes, (request, bytes, done) => {
    const { rawBody, acceptsForm } = configOf(request);
    if (rawBody) done(null, bytes);
    else if (acceptsForm)
      done(
        null,
        readable(() => parseForm(bytes)),
      );
    else done(new Problem('unsupported_media_type'));
  });
  fastify.addContentTypeParser<Buffer>('*', asBytes, (request, bytes, done) => {
    if (configOf(request).rawBody) done(null, bytes);
    else done(new Problem('unsupported_media_type'));
  });
}

const configOf = (request: FastifyRequest): BodyConfig => request.routeOptions.config as BodyConfig;

function readable(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Problem) return new UnreadableBody(error);
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
  const unusable = findUnusable(form);
  if (unusable) throw new Problem('validation_failed', { errors: [unusable] });
  return form;
}

/**
 * Parses a request body. Throws `malformed_json` for what is no JSON text in UTF-8, and `validation_failed` naming the
 * field for JSON that cannot be stored or is dangerous to handle (see `findUnusable`). An empty body is `undefined`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new Problem('malformed_json', { detail: 'the body is not UTF-8' });
  const value = parse(bytes.toString('utf8'));
  const unusable = findUnusable(value);
  if (unusable) throw new Problem('validation_failed', { errors: [unusable] });
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = whereItBroke(text, cause);
    throw new Problem('malformed_json', { ...(where !== undefined && { detail: where }), cause });
  }
}

/** V8's message may name the position, but also repeats parts of the body: only the position is passed on. */
function whereItBroke(text: string, error: unknown): string | undefined {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return undefined;
  const before = text.slice(0, Number(position)).split('\n');
  return `the body stops being JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

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

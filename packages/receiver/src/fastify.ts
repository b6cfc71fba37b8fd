import { createReceiver, MAX_BODY_BYTES, type ReceiverOptions } from './receiver.js';

interface FastifyRequestLike {
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

interface FastifyReplyLike {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: string): unknown;
}

type RawParser = (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void;

/** The part of a Fastify instance that is used. */
interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: string, options: { parseAs: 'buffer'; bodyLimit: number }, parser: RawParser): unknown;
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

/**
 * A plugin: `app.register(webhooks, { path: '/webhooks', secrets, handle })`. In its scope bodies are not parsed; other routes
 * keep their parsers.
 */
export function webhooks(
  fastify: FastifyLike,
  options: ReceiverOptions & { path: string },
  done: (error?: Error) => void,
): void {
  const receive = createReceiver(options);
  const bodyLimit = options.maxBodyBytes ?? MAX_BODY_BYTES;
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, parsed) => parsed(null, body));
  fastify.post(options.path, async (request, reply) => {
    const { status, headers, body } = await receive((request.body ?? '') as Uint8Array, request.headers);
    reply.code(status);
    reply.headers(headers);
    return reply.send(body);
  });
  done();
}

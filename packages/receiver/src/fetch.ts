import { readAll } from './raw-body.js';
import { type Answer, createReceiver, MAX_BODY_BYTES, type ReceiverOptions } from './receiver.js';
import { WebhookVerificationError } from './verification-error.js';

/**
 * A handler of fetch requests, for Workers, Deno, Bun, Hono and routes of Next.js (`export const POST = webhooks({ … })`).
 * Rejects with the error of `handle`, which all of these answer with 500.
 */
export function webhooks(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = createReceiver(options);
  const maxBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    return toResponse(await receive(() => readBody(request, maxBytes), request.headers));
  };
}

async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) {
    throw new WebhookVerificationError('body_reserialized', 'The body of the request was read before');
  }
  return request.body === null ? new Uint8Array() : readAll(chunksOf(request.body), maxBytes);
}

/** Reads with a reader, because some browsers cannot iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/** Uses `null` for an empty body, because the constructor refuses any other body with 204. */
const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(body === '' ? null : body, { status, headers });

import { WebhookVerificationError } from './verification-error.js';
import type { RawBody } from './verify.js';

/** A request of `node:http`, Express or Nest. */
export interface NodeRequest {
  headers: Record<string, string | string[] | undefined>;
  /** The body from a parser. */
  body?: unknown;
  /** The bytes that Nest (`rawBody: true`) and some hosts keep in addition. */
  rawBody?: unknown;
  /** Whether the stream was read to its end. */
  readableEnded?: boolean;
}

/** Returns the body as received. Throws `body_reserialized` if only a parsed body is left, and `body_too_large`. */
export async function rawBodyOf(request: NodeRequest, maxBytes: number): Promise<RawBody> {
  for (const kept of [request.rawBody, request.body]) {
    if (typeof kept === 'string' || kept instanceof Uint8Array) return kept;
  }
  if (request.readableEnded === true) {
    throw new WebhookVerificationError('body_reserialized', 'A body parser has read the request before');
  }
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
  return readAll(request as unknown as AsyncIterable<Uint8Array>, maxBytes);
}

const tooLarge = (maxBytes: number): WebhookVerificationError =>
  new WebhookVerificationError('body_too_large', `The body is over ${maxBytes} bytes`);

/** Reads the stream to its end. Throws `body_too_large` as soon as it exceeds the limit. */
export async function readAll(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}

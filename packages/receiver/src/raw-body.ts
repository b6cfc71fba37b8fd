import { WebhookVerificationError } from './verification-error.js';
import type { RawBody } from './verify.js';

/** A request of Node: of `node:http`, Express, or Nest on either. */
export interface NodeRequest {
  headers: Record<string, string | string[] | undefined>;
  /** What a parser has left. */
  body?: unknown;
  /** What Nest (`rawBody: true`) and some hosts keep beside it. */
  rawBody?: unknown;
  /** Somebody has read the stream. */
  readableEnded?: boolean;
}

/** The body as received, from wherever it is. Throws `body_reserialized` where only a parsed one is left, and `body_too_large`. */
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

/** Throws `body_too_large` as soon as there is more. */
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

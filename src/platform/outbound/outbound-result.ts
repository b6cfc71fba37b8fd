import type { Readable } from 'node:stream';

/** A POST to an address that somebody else chose. */
export interface OutboundRequest {
  /** Absolute http(s) URL. */
  url: string;
  /** Sent byte for byte; `content-length` is added. A stream is sent as it comes, and never twice: give its length. */
  body: string | Buffer | Readable;
  headers: Record<string, string>;
  /** From the beginning of connecting, name resolution included, or of using a connection again, to the answer's last byte. */
  timeoutMs: number;
}

/**
 * What became of it. Exactly one of `statusCode` and `error` is set: a status counts only when its answer was read to the
 * end, or to the 64 KiB at which answers are cut. A 200 whose body hangs until the window closes is a `timeout`.
 */
export interface OutboundResult {
  statusCode: number | null;
  error: OutboundErrorCode | null;
  /** One sentence about `error` that is safe to show and to log: no URL, no address, nothing the receiver wrote. */
  errorMessage?: string;
  /** When the window began: what a post waited for a connection lies before it. */
  startedAt: Date;
  durationMs: number;
  /** The answer's `Retry-After` as it stands. */
  retryAfter: string | null;
  /** As received (never decompressed), at most its first 64 KiB; of a failed answer, what had arrived. */
  responseBody: Buffer;
}

/** Permanent codes, named by the stage that failed, and what they mean to who reads them; see docs/integrate/webhooks.md#error-codes. */
export const OUTBOUND_ERRORS = {
  invalid_url: 'not an absolute http(s) URL, over 2,048 characters, or with credentials in it',
  https_required: 'plain http, while `WEBHOOK_REQUIRE_HTTPS` is on',
  forbidden_port: 'neither 80, 443 nor 1024–65535',
  forbidden_address: 'the host is, or has among its addresses, one that is not public',
  dns_failed: 'the name does not exist, has no address, or its servers failed',
  dns_timeout: "the name's servers did not answer in time",
  connect_failed: 'the connection was refused, or there is no way to the address',
  connect_timeout: 'the connection, TLS included, did not stand in time',
  tls_failed: 'the TLS handshake failed',
  tls_invalid: 'the certificate is expired, for another name, or not from a known authority',
  timeout: "the answer's last byte did not arrive in time",
  connection_reset: 'the receiver closed the connection before its answer was complete',
  invalid_response: 'the answer is not HTTP/1.1, or abuses it (a flood of 1xx, endless framing)',
  headers_too_large: "the answer's head is over 16 KiB",
  local_failure: 'our process could not reach a name server or open a connection; nothing was sent',
  shutting_down: 'our process was stopping',
} as const;

export type OutboundErrorCode = keyof typeof OUTBOUND_ERRORS;

/** A failure whose code is known where it happens. */
export class OutboundFailure extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundFailure';
  }
}

const STORED_RESPONSE_BYTES = 4_096;
/** Of what is decoded whole: to make one takes four times as long as to use it. */
const WHOLE = new TextDecoder('utf-8');

/**
 * The first 4 KiB of a receiver's answer as text that a `text` column takes: NUL and bytes that are no UTF-8 become
 * U+FFFD, a character cut in two by the limit is left out.
 */
export function storableText(body: Buffer): string {
  const isCut = body.length > STORED_RESPONSE_BYTES;
  const text = isCut
    ? new TextDecoder('utf-8').decode(body.subarray(0, STORED_RESPONSE_BYTES), { stream: true })
    : WHOLE.decode(body);
  return text.replaceAll('\u0000', '\ufffd');
}

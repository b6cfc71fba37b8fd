import type { Readable } from 'node:stream';

/** A POST to a URL that a merchant chose. */
export interface OutboundRequest {
  /** Absolute http(s) URL. */
  url: string;
  /**
   * Sent byte for byte; `content-length` is added. A stream is sent once, as it arrives: the caller sets its length.
   */
  body: string | Buffer | Readable;
  headers: Record<string, string>;
  /**
   * Time limit from the start of connecting, name resolution included, or from using an open connection, to the last
   * byte of the response.
   */
  timeoutMs: number;
}

/**
 * The result of a POST. Exactly one of `statusCode` and `error` is set: a status counts only when the response was read
 * to its end, or to the limit of 64 KiB. A 200 whose body does not end in time is a `timeout`.
 */
export interface OutboundResult {
  statusCode: number | null;
  error: OutboundErrorCode | null;
  /** One sentence about `error` that is safe to show and to log: no URL, no address, no text of the receiver. */
  errorMessage?: string;
  /** Start of the time limit; the wait for a connection is before it. */
  startedAt: Date;
  durationMs: number;
  /** The unchanged `Retry-After` of the response. */
  retryAfter: string | null;
  /** The unchanged `Content-Encoding` of the response; `null` or absent: none. */
  contentEncoding?: string | null;
  /**
   * The received bytes (`decodedBody` decompresses them), at most the first 64 KiB; of a failed response, the bytes that had
   * arrived.
   */
  responseBody: Buffer;
}

/**
 * Error codes and their meanings for readers. Codes never change; each is named after the stage that failed. See
 * docs/integrate/webhooks.md#error-codes.
 */
export const OUTBOUND_ERRORS = {
  invalid_url: 'not an absolute http(s) URL, over 2,048 characters, or with credentials in it',
  https_required: 'plain http, while `WEBHOOK_REQUIRE_HTTPS` is on',
  forbidden_port: 'neither 80, 443 nor 1024–65535',
  forbidden_address: 'the host is an address that is not public, or has one',
  dns_failed: 'the name does not exist, has no address, or its servers failed',
  dns_timeout: "the name's servers did not answer in time",
  connect_failed: 'the connection was refused, or there is no route to the address',
  connect_timeout: 'the connection, TLS included, was not made in time',
  tls_failed: 'the TLS handshake failed',
  tls_invalid: 'the certificate is expired, for another name, or not from a known authority',
  timeout: "the answer's last byte did not arrive in time",
  connection_reset: 'the receiver closed the connection before its answer was complete',
  invalid_response: 'the answer is not valid HTTP/1.1, or misuses it (too many 1xx answers, endless framing)',
  headers_too_large: "the answer's head is over 16 KiB",
  auth_failed: 'the token endpoint gave no token for the endpoint; nothing was sent to the receiver',
  local_failure: 'our process could not reach a name server or open a connection; nothing was sent',
  shutting_down: 'our process was stopping',
} as const;

export type OutboundErrorCode = keyof typeof OUTBOUND_ERRORS;

/** A failure whose code is known where it occurs. */
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
/** For complete bodies; shared, because creating a decoder takes four times as long as using it. */
const WHOLE = new TextDecoder('utf-8');

/**
 * The first 4 KiB of a receiver's response as text for a `text` column: NUL and bytes that are not UTF-8 become U+FFFD,
 * and a character cut by the limit is left out.
 */
export function storableText(body: Buffer): string {
  const isCut = body.length > STORED_RESPONSE_BYTES;
  const text = isCut
    ? new TextDecoder('utf-8').decode(body.subarray(0, STORED_RESPONSE_BYTES), { stream: true })
    : WHOLE.decode(body);
  return text.replaceAll('\u0000', '\ufffd');
}

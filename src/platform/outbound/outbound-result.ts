/** A POST to an address that somebody else chose. */
export interface OutboundRequest {
  /** Absolute http(s) URL. */
  url: string;
  /** Sent byte for byte; `content-length` is added. */
  body: string | Buffer;
  headers: Record<string, string>;
  /** The whole window: name resolution, connecting, waiting for a connection, sending, reading the answer's last byte. */
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
  startedAt: Date;
  durationMs: number;
  /** The answer's `Retry-After` as it stands. */
  retryAfter: string | null;
  /** As received (never decompressed), at most its first 64 KiB; of a failed answer, what had arrived. */
  responseBody: Buffer;
}

/** Permanent codes, named by the stage that failed. */
export type OutboundErrorCode =
  /** Not an absolute http(s) URL, over 2,048 characters, or with credentials in it. */
  | 'invalid_url'
  /** Plain http, while `WEBHOOK_REQUIRE_HTTPS` is on. */
  | 'https_required'
  /** Neither 80, 443 nor 1024–65535. */
  | 'forbidden_port'
  /** The host is, or has among its addresses, one that is not public. */
  | 'forbidden_address'
  /** The name does not exist, has no address, or its servers failed. */
  | 'dns_failed'
  /** The window closed before the name was resolved. */
  | 'dns_timeout'
  /** Refused or unreachable. */
  | 'connect_failed'
  /** The window closed before the connection, TLS included, stood. */
  | 'connect_timeout'
  /** The TLS handshake failed. */
  | 'tls_failed'
  /** The certificate is expired, for another name, or not from a known authority. */
  | 'tls_invalid'
  /** The window closed while all connections to that origin were taken; nothing was sent. */
  | 'queue_timeout'
  /** The window closed before the answer's last byte. */
  | 'timeout'
  /** The receiver closed the connection before its answer was complete. */
  | 'connection_reset'
  /** The answer is not HTTP/1.1, or abuses it (a flood of 1xx, endless framing). */
  | 'invalid_response'
  /** The answer's head is over 16 KiB. */
  | 'headers_too_large'
  /** This process is stopping. */
  | 'shutting_down';

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

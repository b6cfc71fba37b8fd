import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/**
 * The error codes of RFC 6749 §5.2 that are possible for client credentials, and `too_many_requests`, because the RFC
 * has no code for throttling.
 */
export type OAuthErrorCode =
  'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope' | 'too_many_requests';

/** A refused token request. Only here the API's errors are not problem+json, but the format of OAuth clients. */
export class OAuthError extends Error {
  /** `true` for `invalid_client` if the client used HTTP Basic: the answer then names that scheme. */
  readonly challengesBasic: boolean;
  /** For `too_many_requests`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: OAuthErrorCode,
    /** Printable ASCII without `"` and `\`, as the RFC requires; never contains text of the caller. */
    readonly description: string,
    options: { challengesBasic?: boolean; retryAfterSeconds?: number } = {},
  ) {
    super(description);
    this.name = 'OAuthError';
    this.challengesBasic = options.challengesBasic ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): 400 | 401 | 429 {
    if (this.code === 'too_many_requests') return 429;
    return this.code === 'invalid_client' ? 401 : 400;
  }
}

/** Renders `OAuthError` in the format of RFC 6749 §5.2. */
@Catch(OAuthError)
export class OAuthErrorFilter implements ExceptionFilter<OAuthError> {
  catch(error: OAuthError, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (error.challengesBasic) void reply.header('www-authenticate', 'Basic realm="payment-orchestrator"');
    if (error.retryAfterSeconds !== undefined) void reply.header('retry-after', String(error.retryAfterSeconds));
    void reply
      .status(error.status)
      .headers({ 'cache-control': 'no-store', pragma: 'no-cache', 'content-type': 'application/json; charset=utf-8' })
      .send(JSON.stringify({ error: error.code, error_description: error.description }));
  }
}

import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OAuthError } from './oauth-error.js';

/** Renders `OAuthError` as RFC 6749 §5.2 says. */
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

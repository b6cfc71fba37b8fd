import { Controller, Get, Logger, Query, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../access/access.js';
import { OAuthError } from '../auth/oauth-error.js';
import { nameIn, People } from '../auth/clients/people.service.js';
import { TokenThrottle } from '../auth/token-throttle.service.js';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import { clientNetwork } from '../platform/http/client-address.js';
import { TakesAnyQuery } from '../platform/http/query-guard.js';
import { type Success, success } from '../platform/http/routes.js';
import { Clock } from '../shared/clock.js';
import { Problem } from '../shared/problem.js';
import { decodeJwt } from 'jose';
import type { ConsoleSession } from './console-session.dto.js';
import { LOGIN_MS, LoginError, type LoginFailure, OidcLogin } from './oidc-login.service.js';
import { signInProblem } from './console-sessions.service.js';
import { MAX_TOKEN_LENGTH, setSessionCookie } from './session-cookie.js';

const LOGIN_COOKIE = 'payments_oidc_login';
const OIDC_PATH = '/console/oidc';
/** Sign-ins with the identity provider are limited only by address: they have no client id. */
const NO_CLIENT = '';
/** A path of the console; excludes redirects to other sites. */
const CONSOLE_PATH = /^\/console(\/[\w/-]*)?(\?[\w=&.%~+-]*)?$/;

/** Sign-in with the external identity provider, and the provider's name for the sign-in page. */
@ApiExcludeController()
@Public()
@Controller('console')
export class OidcController {
  private readonly logger = new Logger(OidcController.name);

  constructor(
    private readonly login: OidcLogin,
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    @InjectConfig() private readonly config: Config,
    private readonly clock: Clock,
    private readonly throttle: TokenThrottle,
    private readonly people: People,
  ) {}

  @Get('settings')
  settings(): Success<{ oidc_provider: string | null }> {
    return success({ oidc_provider: this.login.providerName });
  }

  @Get('oidc/login')
  async begin(@Query('to') to: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.requireProvider();
    await this.answer(request, reply, async () => {
      const target = typeof to === 'string' && CONSOLE_PATH.test(to) ? to : '/console';
      const { url, encrypted } = await this.login.begin(this.redirectUri(request), target);
      setLoginCookie(request, reply, encrypted, LOGIN_MS / 1_000);
      return url;
    });
  }

  @Get('oidc/callback')
  @TakesAnyQuery()
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.requireProvider();
    // can be used only once, regardless of the result
    setLoginCookie(request, reply, '', 0);
    await this.answer(request, reply, async () => {
      const query = request.url.split('?', 2)[1] ?? '';
      const { accessToken, to, name } = await this.login.finish(loginCookie(request), query);
      const { merchant, client_id: clientId } = await this.requireAccepted(accessToken);
      const known = name ?? nameIn(decodeJwt(accessToken));
      if (known !== undefined) await this.people.keepName(merchant.id, clientId, known);
      const seconds = Math.floor(decodeJwt(accessToken).exp! - this.clock.now().getTime() / 1_000);
      setSessionCookie(request, reply, accessToken, seconds);
      return to;
    });
  }

  private requireProvider(): void {
    if (this.login.providerName === null) throw new Problem('route_not_found');
  }

  /**
   * Redirects the browser: to the next page, or back to the sign-in page with the reason of the failure. Each try may
   * call the provider, so it counts like a try of a client's secret. Throws `too_many_requests`.
   */
  private async answer(request: FastifyRequest, reply: FastifyReply, next: () => Promise<string>): Promise<void> {
    let failure: LoginFailure | undefined;
    const attempt = (): Promise<string | null> =>
      next().catch((error: unknown) => {
        if (!(error instanceof LoginError)) throw error;
        failure = error.failure;
        return null;
      });
    const caller = { clientId: NO_CLIENT, network: clientNetwork(request) };
    const target = await this.throttle.run(caller, attempt).catch((error: unknown) => {
      throw error instanceof OAuthError ? signInProblem(error) : error;
    });
    void reply.redirect(target ?? `/console?problem=${failure}`, 302);
  }

  /** Checks the token with the API itself, so that a session never contains a token that the API refuses. */
  private async requireAccepted(accessToken: string): Promise<ConsoleSession> {
    if (accessToken.length > MAX_TOKEN_LENGTH) {
      const takes = `at most ${MAX_TOKEN_LENGTH} characters, the limit of browsers`;
      this.logger.warn({ msg: 'an access token of the identity provider is too long', got: accessToken.length, takes });
      throw new LoginError('oidc_refused');
    }
    const authorization = `Bearer ${accessToken}`;
    const { statusCode, body } = await this.host.httpAdapter
      .getInstance()
      .inject({ method: 'GET', url: '/console/session', headers: { authorization } });
    if (statusCode === 200) return (JSON.parse(body) as { data: ConsoleSession }).data;
    const { detail } = JSON.parse(body) as { detail?: string };
    this.logger.warn({ msg: 'an access token of the identity provider is not accepted', detail });
    throw new LoginError(statusCode === 503 ? 'oidc_unavailable' : 'oidc_refused');
  }

  private redirectUri({ protocol, host }: FastifyRequest): string {
    return `${this.config.publicUrl ?? `${protocol}://${host}`}${OIDC_PATH}/callback`;
  }
}

/** `Lax`, because the browser comes back from another site. */
function setLoginCookie({ protocol }: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
  const secure = protocol === 'https' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${LOGIN_COOKIE}=${value}; Path=${OIDC_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

const loginCookie = ({ headers }: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|;\\s*)${LOGIN_COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];

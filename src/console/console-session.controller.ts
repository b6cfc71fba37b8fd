import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentPrincipal, type Principal, Public, AcceptsAnyToken } from '../access/access.js';
import { requestToken, sessionToken } from '../access/request-token.js';
import { clientNetwork } from '../platform/http/client-address.js';
import { type Success, success } from '../platform/http/routes.js';
import { ConsoleSessionsService, type SessionToken } from './console-sessions.service.js';
import { type ConsoleSession, SignInDto } from './console-session.dto.js';
import { clearSessionCookie, setSessionCookie } from './session-cookie.js';

/**
 * Signs people in to the console and out again. The session is an access token in a cookie; for all other work the
 * console sends requests to the public API. Not part of the documented API: programs send their token themselves.
 */
@ApiExcludeController()
@Controller('console/session')
export class ConsoleSessionController {
  constructor(private readonly sessions: ConsoleSessionsService) {}

  @Post()
  @Public()
  @HttpCode(200)
  async signIn(
    @Body() credentials: SignInDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<ConsoleSession>> {
    return this.begin(await this.sessions.signIn(credentials, clientNetwork(request)), request, reply);
  }

  /** Returns the signed-in client; renews a session with less than half of its time left. */
  @Get()
  @AcceptsAnyToken()
  async current(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<ConsoleSession>> {
    const current = { text: requestToken(request)!, principal };
    const next = await this.sessions.renew(current);
    return next ? this.begin(next, request, reply) : success(await this.sessions.describe(current));
  }

  /** Public: signing out works in any state of the session. The cookie stays if the session could not be ended. */
  @Delete()
  @Public()
  @HttpCode(204)
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = sessionToken(request);
    if (token !== null) await this.sessions.end(token);
    clearSessionCookie(request, reply);
  }

  private async begin(
    token: SessionToken,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Success<ConsoleSession>> {
    setSessionCookie(request, reply, token.text, this.sessions.secondsLeft(token));
    return success(await this.sessions.describe(token));
  }
}

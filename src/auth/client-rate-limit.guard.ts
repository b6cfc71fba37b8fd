import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { CpuScheduler } from '../platform/cpu-scheduler/cpu-scheduler.service.js';
import { isCpuBound, WorkOwner } from '../platform/cpu-scheduler/work-owner.js';
import { SMALL_BODY_BYTES } from '../platform/http/body/body-parsers.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.service.js';
import { CallerLimits } from './caller-limits.js';
import type { Principal } from '../access/access.js';

/** What a body is taken for that does not tell its length. */
const UNTOLD_BYTES = 65_536;
/** On routes that wait for their turn anyway: its validation takes half a millisecond. */
const SMALL_BODY_OF_WORK_BYTES = 4_096;
/** Of a large body, as measured with definitions of flows. */
const VALIDATION_MS_PER_BYTE = 1 / 10_000;

/**
 * Runs after `JwtAuthGuard`: counts every request with a valid token, also one that turns out to lack a scope, and tells
 * the fair queue of those that it has to give way to. What takes long is charged more permits while it runs, whether they
 * are there or not.
 */
@Injectable()
export class ClientRateLimitGuard implements CanActivate {
  private readonly limits: CallerLimits;

  constructor(
    limits: RateLimits,
    private readonly work: CpuScheduler,
    @InjectConfig() { rateLimitPerSecond }: Config,
  ) {
    this.limits = new CallerLimits(limits, rateLimitPerSecond);
    work.onCharge(({ merchantId, request }, permits) => {
      if (request) this.limits.charge({ merchantId, clientId: request.clientId }, request.reply, permits);
    });
  }

  /** Without a promise in most cases: it stands before every request. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user?: Principal }>();
    const { user } = request;
    const isWork = isCpuBound(context.getHandler());
    if (!isWork) this.work.noteRequest();
    if (!user) return true;
    const reply = http.getResponse<FastifyReply>();
    const bytes = bytesOf(request);
    return bytes <= (isWork ? SMALL_BODY_OF_WORK_BYTES : SMALL_BODY_BYTES)
      ? this.limits.take(user, reply)
      : this.takeTurn(user, reply, bytes);
  }

  private async takeTurn(user: Principal, reply: FastifyReply, bytes: number): Promise<boolean> {
    await this.limits.take(user, reply);
    const { merchantId, clientId } = user;
    await this.work.reserve(new WorkOwner(merchantId, { clientId, reply }), bytes * VALIDATION_MS_PER_BYTE);
    return true;
  }
}

const bytesOf = ({ headers }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : UNTOLD_BYTES;

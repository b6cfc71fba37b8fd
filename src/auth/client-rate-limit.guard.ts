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

/** The assumed size of a body without a declared length. */
const ASSUMED_BYTES = 65_536;
/** For routes that are queued anyway: validation of such a body takes half a millisecond. */
const SMALL_BODY_OF_CPU_BOUND_BYTES = 4_096;
/** For a large body, measured with definitions of flows. */
const VALIDATION_MS_PER_BYTE = 1 / 10_000;

/**
 * Runs after `JwtAuthGuard`. Counts every request with a valid token, including requests without a required scope. It
 * also reports requests to the fair queue, which gives them priority over long calculations. Long calculations are
 * charged further permits while they run, even beyond the limit.
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

  /** Usually returns no promise, because it runs before every request. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user?: Principal }>();
    const { user } = request;
    const isQueued = isCpuBound(context.getHandler());
    if (!isQueued) this.work.noteRequest();
    if (!user) return true;
    const reply = http.getResponse<FastifyReply>();
    const bytes = bytesOf(request);
    return bytes <= (isQueued ? SMALL_BODY_OF_CPU_BOUND_BYTES : SMALL_BODY_BYTES)
      ? this.limits.take(user, reply)
      : this.takeAndReserve(user, reply, bytes);
  }

  private async takeAndReserve(user: Principal, reply: FastifyReply, bytes: number): Promise<boolean> {
    await this.limits.take(user, reply);
    const { merchantId, clientId } = user;
    await this.work.reserve(new WorkOwner(merchantId, { clientId, reply }), bytes * VALIDATION_MS_PER_BYTE);
    return true;
  }
}

const bytesOf = ({ headers }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : ASSUMED_BYTES;

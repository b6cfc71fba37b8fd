import type { FastifyReply } from 'fastify';
import { Problem } from '../../shared/problem.js';
import type { Limit, SharedLimit, Verdict } from './shared-limit.js';

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Value of `Retry-After`: whole seconds, at least one. */
export const retryAfterSeconds = ({ retryAfterMs }: Verdict): number => Math.max(1, seconds(retryAfterMs));

/** `quota;w=seconds` of draft-ietf-httpapi-ratelimit-headers-06: after that time the whole burst is available again. */
const policyOf = ({ burst, perSecond }: Limit): string => `${burst};w=${Math.ceil(burst / perSecond)}`;

/** Sets the `RateLimit-*` headers of one limit. They stay on the response, also when it becomes a problem. */
export function rateLimitHeaders({ limit }: SharedLimit): (reply: FastifyReply, verdict: Verdict) => void {
  const quota = String(limit.burst);
  const policy = policyOf(limit);
  return (reply, { remaining, resetMs }) => {
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit-limit', quota);
    reply.header('ratelimit-remaining', String(remaining));
    reply.header('ratelimit-reset', String(seconds(resetMs)));
  };
}

/** 429 with `Retry-After`. `what`: the limited requests, a plural noun for the caller. */
export const tooManyRequests = (what: string, verdict: Verdict): Problem =>
  new Problem('too_many_requests', {
    detail: `${what} exceed their rate limit`,
    headers: { 'retry-after': String(retryAfterSeconds(verdict)) },
  });

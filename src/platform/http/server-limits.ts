import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../shared/problem.js';
import type { Logger } from 'pino';
import type { Config, ProxyHeader } from '../config/config.js';
import type { ConnectionLimits } from './connection-bounds.js';
import type { RouteTokens } from './route-tokens.js';

/** Limits of connections and requests. Times in ms, sizes in bytes. */
export interface ServerLimits extends ConnectionLimits {
  /** Size of the request line and all headers; beyond it: 431. */
  maxHeaderSize: number;
  /** Number of headers; beyond it: 431. Without it Node silently drops headers beyond 2000. */
  maxHeaders: number;
  /** Length of path and query; beyond it: 414. */
  maxUrlLength: number;
  /** Time for the headers of a request, and `requestTimeout` for all of it; beyond it: 408. */
  headersTimeout: number;
  requestTimeout: number;
  /** An idle connection is closed after this time; longer than load balancers keep theirs (60 s). */
  keepAliveTimeout: number;
  /** Interval of the checks for these two time-outs, and for responses that are not read. */
  checkInterval: number;
}

const DEFAULTS: ServerLimits = {
  maxConnections: 5_000,
  maxConnectionsPerAddress: 500,
  maxHeaderSize: 16_384,
  maxHeaders: 100,
  maxUrlLength: 8_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  answerTimeout: 30_000,
  checkInterval: 1_000,
};

export interface HttpOptions {
  limits?: Partial<ServerLimits>;
  /** Proxies that may name the caller's address; absent: none. */
  trustedProxies?: BlockList;
  /** The header in which they name it; absent: `X-Forwarded-For`. */
  proxyHeader?: ProxyHeader;
  /** Tokens of guarded routes; absent: nothing is guarded. */
  tokens?: RouteTokens;
  /** Serves health and metrics; absent: they are on the port of the API. */
  management?: { attach(fastify: FastifyInstance, limits: ServerLimits, logger: Logger): void };
}

export const httpOptions = ({
  httpMaxConnections,
  httpMaxConnectionsPerAddress,
  trustedProxies,
  proxyHeader,
  routeTokens: tokens,
}: Config): HttpOptions => ({
  limits: { maxConnections: httpMaxConnections, maxConnectionsPerAddress: httpMaxConnectionsPerAddress },
  trustedProxies,
  proxyHeader,
  tokens,
});

export const serverLimits = ({ limits }: HttpOptions): ServerLimits => ({ ...DEFAULTS, ...limits });

/** The problem of a request beyond limits that Node does not check, or that it answers differently. */
export function limitProblem(
  { url, rawHeaders }: IncomingMessage,
  { maxUrlLength, maxHeaders }: ServerLimits,
): Problem | undefined {
  if (url!.length > maxUrlLength) {
    return new Problem('uri_too_long', { detail: `path and query may have at most ${maxUrlLength} bytes` });
  }
  return rawHeaders.length > maxHeaders * 2
    ? new Problem('headers_too_large', { detail: `a request may have at most ${maxHeaders} headers` })
    : undefined;
}

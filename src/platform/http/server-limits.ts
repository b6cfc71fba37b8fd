import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../shared/problem.js';
import type { Logger } from 'pino';
import type { Config, ProxyHeader } from '../config/config.js';
import type { ConnectionLimits } from './connection-bounds.js';
import type { RouteTokens } from './route-tokens.js';

/** What a connection and a request may take of the process. Times in ms, sizes in bytes. */
export interface ServerLimits extends ConnectionLimits {
  /** The request line and all headers together: 431. */
  maxHeaderSize: number;
  /** 431. Node by itself drops what is beyond 2000 without a word. */
  maxHeaders: number;
  /** Path and query: 414. */
  maxUrlLength: number;
  /** A request's headers have arrived by then, all of it by `requestTimeout`: 408. */
  headersTimeout: number;
  requestTimeout: number;
  /** A connection without a request is closed after it; longer than load balancers keep theirs (60 s). */
  keepAliveTimeout: number;
  /** How often the two timeouts of requests are looked after, and which answers are not taken. */
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
  /** Who is believed about where a request comes from; absent: nobody. */
  trustedProxies?: BlockList;
  /** The header in which they tell it; absent: `X-Forwarded-For`. */
  proxyHeader?: ProxyHeader;
  /** Absent: nothing is guarded. */
  tokens?: RouteTokens;
  /** Where health and metrics answer; absent: with everything else. */
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

/** What Node does not refuse by itself, and as we answer it. */
export function limitProblem(
  { url, rawHeaders }: IncomingMessage,
  { maxUrlLength, maxHeaders }: ServerLimits,
): Problem | undefined {
  if (url!.length > maxUrlLength) {
    return new Problem('uri_too_long', { detail: `path and query take at most ${maxUrlLength} bytes` });
  }
  return rawHeaders.length > maxHeaders * 2
    ? new Problem('headers_too_large', { detail: `a request takes at most ${maxHeaders} headers` })
    : undefined;
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../shared/problem.js';

/** The console built by `npm run build`, at the same relative path from `src` and `dist`. */
const BUILT = fileURLToPath(new URL('../../console/dist/', import.meta.url));

/** Content only from the own origin, nothing inline, never inside a frame. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Serves the console at `/console`. Its files are under `/console/assets`; their names contain a hash, so browsers
 * cache them for ever. All other paths below `/console` return its only page. Nothing is served if the console was not
 * built.
 */
@Injectable()
export class ConsolePages implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  /** Routes can be added until the application listens. */
  async onModuleInit(): Promise<void> {
    if (!existsSync(`${BUILT}index.html`)) return;
    const page = await readFile(`${BUILT}index.html`);
    const fastify: FastifyInstance = this.host.httpAdapter.getInstance();
    // not awaited: that would boot Fastify now, before Nest's error handler
    void fastify.register(fastifyStatic, {
      root: `${BUILT}assets`,
      prefix: '/console/assets/',
      decorateReply: false,
      index: false,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value);
      },
    });
    fastify.get('/console/assets/*', () => {
      throw new Problem('route_not_found');
    });
    const answer = (_: unknown, reply: FastifyReply) =>
      reply.headers(HEADERS).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
    fastify.get('/console', answer);
    fastify.get('/console/*', answer);
  }
}

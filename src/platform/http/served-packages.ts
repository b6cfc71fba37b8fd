import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Where `npm run build` puts the tarballs, seen from `src` and `dist` alike. */
const BUILT = fileURLToPath(new URL('../../../dist/tarballs/', import.meta.url));

/**
 * Serves the npm packages of this version at `/packages/client.tgz` and `/packages/receiver.tgz`: no registry has them, and
 * the client's types are those of this service's document. Nothing is served where they were not built. Call before the
 * application listens.
 */
export function servePackages(app: NestFastifyApplication): void {
  if (!existsSync(BUILT)) return;
  // not awaited: that would boot Fastify now, ahead of Nest's handler of errors
  void app
    .getHttpAdapter()
    .getInstance()
    .register(fastifyStatic, {
      root: BUILT,
      prefix: '/packages/',
      decorateReply: false,
      index: false,
      wildcard: false,
      cacheControl: false,
      setHeaders: (reply) => {
        reply.header('content-type', 'application/gzip');
        // the next version has the same address
        reply.header('cache-control', 'no-cache');
      },
    });
}

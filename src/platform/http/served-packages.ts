import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The tarballs of `npm run build`; the path is the same from `src` and `dist`. */
const BUILT = fileURLToPath(new URL('../../../dist/tarballs/', import.meta.url));

/**
 * Serves the npm packages of this version, such as `/packages/client.tgz`: no registry has them,
 * and the client's types match this service's OpenAPI document. Serves nothing if they were not built. Call before the
 * application listens.
 */
export function servePackages(app: NestFastifyApplication): void {
  if (!existsSync(BUILT)) return;
  // not awaited: that would start Fastify before Nest has set its error handler
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
        // the next version has the same URL
        reply.header('cache-control', 'no-cache');
      },
    });
}

import { randomBytes, randomUUID } from 'node:crypto';
import { AccessTokenCache } from '../http/access-tokens.js';
import { HttpApiClient } from '../http/http-api-client.js';
import { NotificationRefused } from '../notification-refused.js';
import type { ConnectorContext } from '../provider-factory.js';
import { Wire } from './wire.js';

/**
 * A connector's context as in the service: real HTTP, time and randomness, and these settings. `wire` is its HTTP client,
 * for the fixture. `close` ends its connections.
 */
export function systemContext(settings: ConnectorContext['settings'] = {}): {
  context: ConnectorContext;
  wire: Wire;
  close: () => Promise<void>;
} {
  const http = new HttpApiClient();
  const wire = new Wire(http);
  const clock = { now: () => new Date() };
  const context: ConnectorContext = {
    http: wire,
    accessTokens: new AccessTokenCache(clock),
    clock,
    random: { bytes: (size) => randomBytes(size), uuid: () => randomUUID() },
    parseJson,
    settings,
  };
  return { context, wire, close: () => http.close() };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new NotificationRefused('malformed_json', { cause });
  }
}

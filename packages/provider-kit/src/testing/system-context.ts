import { randomBytes, randomUUID } from 'node:crypto';
import { HttpApiClient } from '../http/http-api-client.js';
import { NotificationRefused } from '../notification-refused.js';
import type { ConnectorContext } from '../provider-factory.js';

/** A connector's context as in the service: real HTTP, time and randomness, and these settings. `close` ends its connections. */
export function systemContext(settings: ConnectorContext['settings'] = {}): {
  context: ConnectorContext;
  close: () => Promise<void>;
} {
  const http = new HttpApiClient();
  const context: ConnectorContext = {
    http,
    clock: { now: () => new Date() },
    random: { bytes: (size) => randomBytes(size), uuid: () => randomUUID() },
    parseJson,
    settings,
  };
  return { context, close: () => http.close() };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new NotificationRefused('malformed_json', { cause });
  }
}

import { AccessTokenCache, type ApiClient, type ConnectorContext } from '@payment-orchestrator/provider-kit';
import { parseSignedJson } from '../../../src/platform/http/body/json-body.js';
import { type Clock, SystemClock } from '../../../src/shared/clock.js';
import { SystemRandom } from '../../../src/shared/random.js';

/** The service's context of a connector, with these settings. */
export const connectorContext = (
  http: ApiClient,
  settings: ConnectorContext['settings'] = {},
  clock: Clock = new SystemClock(),
): ConnectorContext => ({
  ...{ http, clock, accessTokens: new AccessTokenCache(clock), random: new SystemRandom() },
  ...{ parseJson: parseSignedJson, settings },
});

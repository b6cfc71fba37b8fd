import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  AccessTokenCache,
  type ConnectorContext,
  type ConnectorHost,
  HttpApiClient,
} from '@payment-orchestrator/provider-kit';
import type { Config } from '../../platform/config/config.js';
import type { Database } from '../../platform/database/database.js';
import { GROUPED_WRITES } from '../../platform/database/writes.js';
import { parseSignedJson } from '../../platform/http/body/json-body.js';
import { Batcher } from '../../shared/batcher.js';
import type { Clock } from '../../shared/clock.js';
import type { Random } from '../../shared/random.js';
import type { OwnAddress } from './own-address.js';

/** The HTTP client of all connectors in this process. */
export class ProviderHttp extends HttpApiClient implements OnApplicationShutdown {
  /** Ends calls in flight; their callers have had time to finish. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}

/** The means of this process for its connectors. */
export const connectorContext = (
  ...[config, http, clock, random, database, address]: [Config, ProviderHttp, Clock, Random, Database, OwnAddress]
): ConnectorContext => ({
  ...{ http, clock, random, parseJson: parseSignedJson, settings: config.connectorSettings },
  accessTokens: new AccessTokenCache(clock),
  host: connectorHost(database, address),
});

/** The means for a connector that is a company of its own. */
export function connectorHost(database: Database, address: Pick<OwnAddress, 'url'>): ConnectorHost {
  const logger = new Logger('Connector');
  return {
    database: {
      query: (statement, values) => database.query(statement, values),
      transaction: (work) => database.transaction(work),
      grouped: (write) => {
        const batcher = new Batcher(write, GROUPED_WRITES);
        return (input) => batcher.add(input);
      },
    },
    log: {
      debug: (entry) => logger.debug(entry),
      warn: (entry) => logger.warn(entry),
      error: (entry) => logger.error(entry),
    },
    url: () => address.url,
  };
}

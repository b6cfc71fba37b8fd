import { Logger } from '@nestjs/common';
import type { ConnectorHost } from '@payment-orchestrator/provider-kit';
import type { Database } from '../../platform/database/database.js';
import { GROUPED_WRITES } from '../../platform/database/writes.js';
import { Batcher } from '../../shared/batcher.js';
import type { OwnAddress } from './own-address.js';

/** What this process offers its connectors. */
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

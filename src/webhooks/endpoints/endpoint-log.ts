import { Logger } from '@nestjs/common';
import { originOf } from '../../platform/addresses/endpoint.js';

interface ChangedEndpoint {
  lane_id: number;
  shop_id: number;
  origin: string;
}

/** Endpoints that changed with a statement that recorded attempts; `null`: none did. */
export interface ChangedEndpoints {
  /** They began to fail. */
  failing: (ChangedEndpoint & { last_status_code: number | null; last_error: string | null })[] | null;
  /** They answered 2xx again, and since when they had failed. */
  recovered: (ChangedEndpoint & { failing_since: string })[] | null;
}

const logger = new Logger('WebhookEndpoint');

/** Both are warnings: an operator who reads of the failure must also read of its end. */
export function logChangedEndpoints({ failing, recovered }: ChangedEndpoints): void {
  for (const { last_status_code: statusCode, last_error: error, ...endpoint } of failing ?? [])
    logger.warn({
      msg: 'endpoint fails, trying on',
      ...idsOf(endpoint),
      statusCode,
      ...(error !== null && { error }),
    });
  for (const { failing_since: since, ...endpoint } of recovered ?? [])
    logger.warn({ msg: 'endpoint recovered', ...idsOf(endpoint), failingSince: new Date(since).toISOString() });
}

/** An origin that was stored before addresses were checked may hold a user and a password. */
const idsOf = ({ lane_id: laneId, shop_id: shopId, origin }: ChangedEndpoint) => ({
  laneId,
  shopId,
  origin: originOf(origin),
});

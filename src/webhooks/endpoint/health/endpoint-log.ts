import { Logger } from '@nestjs/common';
import { originOf } from '../../../platform/addresses/endpoint.js';

interface ChangedEndpoint {
  lane_id: number;
  shop_id: number;
  origin: string;
}

/** Endpoints whose state changed with a record of attempts; `null` if there are none. */
export interface ChangedEndpoints {
  /** Endpoints that began to fail. */
  failing: (ChangedEndpoint & { last_status_code: number | null; last_error: string | null })[] | null;
  /** Endpoints that answered with 2xx again, with the start of their failure. */
  recovered: (ChangedEndpoint & { failing_since: string })[] | null;
}

const logger = new Logger('WebhookEndpoint');

/** Logs changes of endpoints. Both are warnings, so that an operator who sees a failure also sees its end. */
export function logChangedEndpoints({ failing, recovered }: ChangedEndpoints): void {
  for (const { last_status_code: statusCode, last_error: error, ...endpoint } of failing ?? [])
    logger.warn({
      msg: 'endpoint fails, retrying',
      ...idsOf(endpoint),
      statusCode,
      ...(error !== null && { error }),
    });
  for (const { failing_since: since, ...endpoint } of recovered ?? [])
    logger.warn({ msg: 'endpoint recovered', ...idsOf(endpoint), failingSince: new Date(since).toISOString() });
}

/** Applies `originOf`, because an origin from before addresses were validated may contain a user and a password. */
const idsOf = ({ lane_id: laneId, shop_id: shopId, origin }: ChangedEndpoint) => ({
  laneId,
  shopId,
  origin: originOf(origin),
});

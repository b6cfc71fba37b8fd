import type { Statement } from '../../../platform/database/database.js';
import { SHOPS } from '../../../shared/relations.js';
import { WEBHOOK_EVENT } from '../../outbox/webhook-body.js';
import { encryptedReceiversOf } from './encrypted-receiver.js';

/** The state and the events of an endpoint of either kind. Its id is a standing endpoint's or that of an origin of payments' addresses. */
export interface EndpointScope {
  kind: 'standing' | 'payment';
  state: 'active' | 'paused' | 'disabled' | 'deleted';
  /** `null`: all shops. Of payments' addresses: their shop. */
  shop_ids: number[] | null;
  event_types: string[];
}

/** The endpoint $1 of the merchant $2, also a deleted one. */
export const FIND_ENDPOINT_SCOPE: Statement = {
  name: 'webhooks.find_endpoint_scope',
  text: `SELECT 'standing' AS kind, status AS state, shop_ids, event_types FROM webhook_endpoints WHERE id = $1 AND merchant_id = $2
    UNION ALL
    SELECT 'payment', 'active', ARRAY[s.id], '{${WEBHOOK_EVENT}}' FROM webhook_lanes l JOIN ${SHOPS} s ON s.id = l.shop_id
    WHERE l.id = $1 AND s.merchant_id = $2`,
};

/** The default endpoints of the shops $1 and the standing endpoints $2; see `EncryptedReceiver`. */
export const FIND_RECEIVERS: Statement = {
  name: 'webhooks.find_receivers',
  text: `SELECT ${encryptedReceiversOf('ARRAY(SELECT unnest($1::bigint[]))', 'ARRAY(SELECT unnest($2::bigint[]))')} AS receivers`,
};

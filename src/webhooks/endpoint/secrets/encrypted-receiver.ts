import type { Statement } from '../../../platform/database/database.js';
import { REPLACE_SHOP_SECRETS, SHOP_SECRETS } from '../../../shared/relations.js';
import type { EndpointFormat, EndpointRef } from './receiver.js';
import type { StoredSecrets } from './secret-rotation.js';

/** An endpoint as a worker needs it to send. Ciphertexts in base64, for `ReceiverSecrets`. */
export interface EncryptedReceiver {
  /** The standing endpoint; `DEFAULT_ENDPOINT`: the default endpoint of the shop. */
  endpoint_id: number;
  /** `null` for a standing endpoint. */
  shop_id: number | null;
  merchant_id: number;
  /** The secret that signs `Signature`. */
  current: string;
  /** The secret before the latest rotation, while both are valid. */
  previous: string | null;
  /** An announced secret, which will replace the current one. */
  next?: string | null;
  /** The current key of ed25519 and, while both are valid, the previous one. */
  signing_keys?: [string, string | null] | null;
  /** This and the following: only of a standing endpoint. */
  url?: string;
  format?: EndpointFormat;
  max_per_second?: number | null;
  headers?: string | null;
  auth?: string | null;
}

type Kind = EndpointRef['kind'];

/** Where the secrets of an endpoint are: the columns of its row. */
interface SecretColumns {
  rows: string;
  /** The beginning of a statement that replaces secrets of rows `r`. */
  replace: string;
  latest: string;
  activeFrom: string;
  previous: string;
  previousExpiresAt: string;
  /** Condition on rows that count. */
  exists: string;
}

const SECRETS: Record<Kind, SecretColumns> = {
  default: {
    rows: SHOP_SECRETS,
    replace: REPLACE_SHOP_SECRETS,
    latest: 'webhook_secret',
    activeFrom: 'webhook_secret_active_from',
    previous: 'previous_webhook_secret',
    previousExpiresAt: 'previous_webhook_secret_expires_at',
    exists: 'true',
  },
  standing: {
    rows: 'webhook_endpoints',
    replace: 'UPDATE webhook_endpoints r SET updated_at = clock_timestamp()',
    latest: 'sealed_secret',
    activeFrom: 'secret_active_from',
    previous: 'sealed_previous_secret',
    previousExpiresAt: 'previous_secret_expires_at',
    exists: `status <> 'deleted'`,
  },
};

const perKind = <T>(valueOf: (kind: Kind, columns: SecretColumns) => T): Record<Kind, T> => ({
  default: valueOf('default', SECRETS.default),
  standing: valueOf('standing', SECRETS.standing),
});

/** Whether the latest secret of the row `r` does not sign yet; the previous one does. */
const isAnnounced = ({ activeFrom }: SecretColumns): string => `r.${activeFrom} > statement_timestamp()`;

const isPreviousValid = (columns: SecretColumns): string => `r.${columns.previousExpiresAt} > statement_timestamp()`;

/** The secret that the row `r` signs with, the previous one while it is valid, and the announced next one. */
const current = (columns: SecretColumns): string =>
  `CASE WHEN ${isAnnounced(columns)} THEN r.${columns.previous} ELSE r.${columns.latest} END`;
const previous = (columns: SecretColumns): string =>
  `CASE WHEN NOT coalesce(${isAnnounced(columns)}, false) AND ${isPreviousValid(columns)} THEN r.${columns.previous} END`;
const next = (columns: SecretColumns): string => `CASE WHEN ${isAnnounced(columns)} THEN r.${columns.latest} END`;

const SIGNING_KEYS = `CASE WHEN r.webhook_signing_key IS NOT NULL THEN json_build_array(encode(r.webhook_signing_key, 'base64'),
        encode(CASE WHEN r.previous_webhook_signing_key_expires_at > clock_timestamp() THEN r.previous_webhook_signing_key END,
          'base64')) END`;

const SECRETS_JSON = perKind(
  (_, columns) => `'merchant_id', r.merchant_id, 'current', encode(${current(columns)}, 'base64'),
      'previous', encode(${previous(columns)}, 'base64'), 'next', encode(${next(columns)}, 'base64')`,
);

/**
 * JSON: an array of `EncryptedReceiver`, one per default endpoint of `shopIds` and per standing one among `endpointIds`;
 * `null` for none.
 */
export const encryptedReceiversOf = (shopIds: string, endpointIds: string): string =>
  `(SELECT json_agg(found.receiver) FROM (
      SELECT json_build_object('endpoint_id', 0, 'shop_id', r.id, ${SECRETS_JSON.default}, 'signing_keys', ${SIGNING_KEYS}) AS receiver
      FROM ${SHOP_SECRETS} r WHERE r.id = ANY (${shopIds})
      UNION ALL
      SELECT json_build_object('endpoint_id', r.id, 'shop_id', NULL, ${SECRETS_JSON.standing}, 'url', r.url, 'format', r.format,
        'max_per_second', r.max_per_second, 'headers', encode(r.sealed_headers, 'base64'), 'auth', encode(r.sealed_auth, 'base64'))
      FROM webhook_endpoints r WHERE r.id = ANY (${endpointIds})) found)`;

/** The secret of an endpoint, encrypted, and the pending steps of its latest rotation; times that are past are `null`. */
export interface SecretRow {
  current: Buffer;
  active_from: Date | null;
  previous_expires_at: Date | null;
}

/** The secret of the endpoint $1 of the merchant $2 that signs now. */
export const FIND_SECRET = perKind((kind, columns): Statement => ({
  name: `webhooks.find_secret_of_${kind}`,
  text: `SELECT ${current(columns)} AS current, CASE WHEN ${isAnnounced(columns)} THEN r.${columns.activeFrom} END AS active_from,
      CASE WHEN r.${columns.previous} IS NOT NULL AND ${isPreviousValid(columns)} THEN r.${columns.previousExpiresAt} END AS previous_expires_at
    FROM ${columns.rows} r WHERE r.id = $1 AND r.merchant_id = $2 AND ${columns.exists}`,
}));

/**
 * The secrets of the endpoint $1 of the merchant $2 and the time. Locks the row: of two concurrent rotations, the second
 * replaces what the first one set. So the secrets of both answers are valid, one as the current and one as the previous.
 */
export const LOCK_SECRETS = perKind(
  (kind, { rows, latest, activeFrom, previous: before, previousExpiresAt, exists }): Statement => ({
    name: `webhooks.lock_secrets_of_${kind}`,
    text: `SELECT ${latest} AS latest, ${activeFrom} AS "activeFrom", ${before} AS previous,
      ${previousExpiresAt} AS "previousExpiresAt", clock_timestamp() AS now
    FROM ${rows} r WHERE id = $1 AND merchant_id = $2 AND ${exists} FOR NO KEY UPDATE`,
  }),
);

export type LockedSecrets = StoredSecrets & { now: Date };

/** Sets the secrets of the endpoint $1: $2 latest, $3 since when it signs, $4 the previous one, $5 its expiry. */
export const SET_SECRETS = perKind(
  (kind, { replace, latest, activeFrom, previous: before, previousExpiresAt }): Statement => ({
    name: `webhooks.set_secrets_of_${kind}`,
    text: `${replace}, ${latest} = $2, ${activeFrom} = $3, ${before} = $4, ${previousExpiresAt} = $5 WHERE id = $1`,
  }),
);

/** An endpoint as the sender of a webhook: the secret that signs, and all that are stored. */
export interface SenderRow extends Pick<EndpointRef, 'kind' | 'id'> {
  current: Buffer;
  stored: (Buffer | null)[];
}

const SENDER = perKind(
  (kind, columns) => `SELECT '${kind}' AS kind, r.id, ${current(columns)} AS current,
        ARRAY[r.${columns.latest}, r.${columns.previous}] AS stored
      FROM ${columns.rows} r WHERE r.merchant_id = $1 AND ${columns.exists}`,
);

/** The endpoints of the merchant $1 with their secrets: of its newest shops, the shop $2 first, $3 at most, and all standing ones. */
export const LIST_SENDERS: Statement = {
  name: 'webhooks.list_senders',
  text: `(${SENDER.default} ORDER BY r.id = $2 DESC, r.id DESC LIMIT $3)
    UNION ALL (${SENDER.standing} ORDER BY r.id)`,
};

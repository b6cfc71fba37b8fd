import type { EndpointFormat } from './endpoint-format.js';

/** The part of a standing endpoint that a worker needs to send to it. Ciphertexts in base64, for `EndpointSecrets`. */
export interface EncryptedEndpoint {
  endpoint_id: number;
  merchant_id: number;
  url: string;
  format: EndpointFormat;
  max_per_second: number | null;
  /** The secret that signs `Signature`. */
  current: string;
  /** The secret before the latest rotation, while both are valid. */
  previous: string | null;
  /** An announced secret, which will replace the current one. */
  next: string | null;
  headers: string | null;
  auth: string | null;
}

/** Whether the latest secret of `e` does not sign yet; the previous one does. */
const IS_ANNOUNCED = 'e.secret_active_from > statement_timestamp()';

/** The secret that an endpoint `e` signs with, the previous one while it is valid, and the announced next one. */
export const CURRENT_SECRET = `CASE WHEN ${IS_ANNOUNCED} THEN e.sealed_previous_secret ELSE e.sealed_secret END`;
const PREVIOUS_SECRET = `CASE WHEN NOT coalesce(${IS_ANNOUNCED}, false)
      AND e.previous_secret_expires_at > statement_timestamp() THEN e.sealed_previous_secret END`;
const NEXT_SECRET = `CASE WHEN ${IS_ANNOUNCED} THEN e.sealed_secret END`;

/** JSON: an array of `EncryptedEndpoint`, one per endpoint among `endpointIds`; `null` for none. */
export const encryptedEndpointsOf = (endpointIds: string): string =>
  `(SELECT json_agg(json_build_object('endpoint_id', e.id, 'merchant_id', e.merchant_id, 'url', e.url, 'format', e.format,
      'max_per_second', e.max_per_second,
      'current', encode(${CURRENT_SECRET}, 'base64'), 'previous', encode(${PREVIOUS_SECRET}, 'base64'),
      'next', encode(${NEXT_SECRET}, 'base64'), 'headers', encode(e.sealed_headers, 'base64'),
      'auth', encode(e.sealed_auth, 'base64')))
    FROM webhook_endpoints e WHERE e.id = ANY (${endpointIds}))`;

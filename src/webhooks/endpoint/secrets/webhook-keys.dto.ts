import { IsIntegerIn, Optional } from '../../../platform/http/validation/field-rules.js';
import { MAX_OVERLAP_SECONDS } from '../../../shared/clock.js';
import type { WebhookJwk } from '../../../shops/signing-key.js';

export class WebhookKeyRotation {
  /** How long webhooks have a signature of the old key, too; 0: not at all. @example 86400 */
  @Optional()
  @IsIntegerIn(0, MAX_OVERLAP_SECONDS)
  overlap_seconds?: number = 86_400;
}

/** A public key of ed25519 (RFC 8037 §2). */
export class WebhookKey implements WebhookJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. @example '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' */
  x: string;
  /** The key's thumbprint (RFC 7638). Signatures do not name it: try all keys.
   * @example 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' */
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

/** RFC 7517 §5: the current key first, then the previous one while both are valid. */
export class WebhookKeySet {
  keys: WebhookKey[];
}

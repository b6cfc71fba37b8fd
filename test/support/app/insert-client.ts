import { randomUUID, scryptSync } from 'node:crypto';
import { type Scope, SCOPES } from '../../../src/access/scopes.js';
import type { TestDatabase } from '../servers/database.js';
import type { ClientCredentials } from './settings.js';

export interface InsertedClient extends ClientCredentials {
  merchantId: number;
}

/**
 * The lowest cost of scrypt, instead of 80 ms of CPU time. A check of the secret uses the cost that is stored with it.
 */
const COST = { N: 16, r: 1, p: 1 };
const SALT = Buffer.alloc(16, 'salt');

/** Same format as `hashSecret`. */
const cheapHash = (secret: string): string =>
  `$scrypt$ln=4,r=1,p=1$${SALT.toString('base64url')}$${scryptSync(secret, SALT, 32, COST).toString('base64url')}`;

/** Inserts a client whose secret is cheap to check. By default with a new merchant and id, and all scopes. */
export async function insertClient(
  { pool }: Pick<TestDatabase, 'pool'>,
  { id = `client_${randomUUID()}`, secret = 'secret-of-a-test', merchantId }: Partial<InsertedClient> = {},
  scopes: readonly Scope[] = SCOPES,
): Promise<InsertedClient> {
  const { rows } = await pool.query<{ merchant_id: number }>(
    `WITH merchant AS (INSERT INTO merchants (name) SELECT 'A merchant' WHERE $4::bigint IS NULL RETURNING id)
     INSERT INTO api_clients (merchant_id, client_id, name, secret_hash, scopes)
     SELECT coalesce($4::bigint, (SELECT id FROM merchant)), $1, 'A client', $2, $3 RETURNING merchant_id`,
    [id, cheapHash(secret), scopes, merchantId],
  );
  return { id, secret, merchantId: rows[0]!.merchant_id };
}

// Each secret is replaced in its own statement, and only if it is unchanged since it was read. No lock is held between
// reading and writing. A kill leaves every secret under one key or the other, and a concurrent rotation wins.
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Encryption, keyIdOf } from '../platform/encryption/encryption.js';
import {
  COUNT_OUTDATED,
  outdated,
  replaceCiphertext,
  type EncryptedRow,
  SECRETS_BY_KEY,
} from './reencryption.queries.js';
import { ENDPOINTS, SECRET_COLUMNS, type SecretColumn } from './secret-columns.js';

const BATCH = 200;
/**
 * The next pass handles secrets that a process writes under an older key during a pass. If this does not stop, the
 * result lists them.
 */
const MAX_PASSES = 5;

/** A secret that stays unchanged because no configured key decrypts it. */
export interface UnreadableSecret {
  /** `null` for a saved payment method and a standing endpoint. */
  shopId: number | null;
  /** For a secret of a payment. */
  paymentId: number | null;
  /** For a saved payment method. */
  customerId: number | null;
  /** For a standing webhook endpoint. */
  endpointId: number | null;
  column: string;
  keyId: string;
  /** `unknown_key`: no configured key has that id. `damaged`: the key is configured but does not decrypt it. */
  reason: 'unknown_key' | 'damaged';
}

export interface KeyUse {
  id: string;
  /** The number of secrets encrypted with the key. */
  secrets: number;
  isConfigured: boolean;
}

export interface Reencryption {
  reencrypted: number;
  unreadable: UnreadableSecret[];
  /** The configured keys, the current one first, then other keys that secrets are encrypted with. */
  keys: KeyUse[];
}

/** Called after each batch with the number of re-encrypted secrets so far, and of secrets still to check. */
export type ReencryptionProgress = (reencrypted: number, left: number) => void;

interface Pass {
  reencrypted: number;
  /** Secrets that were changed between reading and writing. */
  overtaken: number;
  unreadable: UnreadableSecret[];
}

/** Re-encrypts all secrets of older keys under the current key, bound to their rows, while the service runs. */
@Injectable()
export class ReencryptionService {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /** Can be stopped at any time and run again, also concurrently. */
  async run(progress: ReencryptionProgress): Promise<Reencryption> {
    let reencrypted = 0;
    let unreadable: UnreadableSecret[] = [];
    for (let count = 0; count < MAX_PASSES; count += 1) {
      const left = await this.countOutdated();
      const pass = await this.pass((done, seen) => progress(reencrypted + done, Math.max(0, left - seen)));
      reencrypted += pass.reencrypted;
      unreadable = pass.unreadable;
      if (pass.reencrypted + pass.overtaken === 0) break;
    }
    return { reencrypted, unreadable, keys: await this.keys() };
  }

  private async pass(progress: (reencrypted: number, seen: number) => void): Promise<Pass> {
    const pass: Pass = { reencrypted: 0, overtaken: 0, unreadable: [] };
    let seen = 0;
    for (const secret of SECRET_COLUMNS) {
      for await (const batch of this.batches(secret)) {
        for (const row of batch) await this.reencrypt(secret, row, pass);
        progress(pass.reencrypted, (seen += batch.length));
      }
    }
    return pass;
  }

  private async *batches(secret: SecretColumn): AsyncGenerator<EncryptedRow[]> {
    let batch: EncryptedRow[];
    let afterId = 0;
    do {
      batch = await this.database.query<EncryptedRow>(outdated(secret), [this.encryption.currentKeyId, afterId, BATCH]);
      if (batch.length > 0) yield batch;
      afterId = batch.at(-1)?.id ?? afterId;
    } while (batch.length === BATCH);
  }

  private async reencrypt(secret: SecretColumn, row: EncryptedRow, pass: Pass): Promise<void> {
    const { id, owner_id: ownerId, shop_id: shopId, encrypted } = row;
    const fresh = this.underCurrentKey(secret, row);
    if (fresh === undefined) {
      const keyId = keyIdOf(encrypted);
      const reason = this.encryption.keyIds.includes(keyId) ? 'damaged' : 'unknown_key';
      const paymentId = secret.ownerId === 'payment_id' ? ownerId : null;
      const customerId = secret.ownerId === 'customer_id' ? ownerId : null;
      const endpointId = secret.table === ENDPOINTS ? id : null;
      pass.unreadable.push({ shopId, paymentId, customerId, endpointId, column: secret.column, keyId, reason });
      return;
    }
    const replaced = await this.database.query(replaceCiphertext(secret), [id, ownerId, encrypted, fresh]);
    if (replaced.length > 0) pass.reencrypted += 1;
    else pass.overtaken += 1;
  }

  /** `undefined`: no configured key decrypts it. */
  private underCurrentKey({ purpose }: SecretColumn, { encrypted, row }: EncryptedRow): Buffer | undefined {
    let secret: string;
    try {
      secret = this.encryption.decrypt(encrypted, purpose, row);
    } catch {
      return undefined;
    }
    return this.encryption.encrypt(secret, purpose, row);
  }

  private async countOutdated(): Promise<number> {
    return (await this.database.query<{ secrets: number }>(COUNT_OUTDATED, [this.encryption.currentKeyId]))[0]!.secrets;
  }

  private async keys(): Promise<KeyUse[]> {
    const rows = await this.database.query<{ id: string; secrets: number }>(SECRETS_BY_KEY);
    const uses = new Map(rows.map(({ id, secrets }) => [id, secrets]));
    const configured = this.encryption.keyIds;
    const unconfigured = [...uses.keys()].filter((id) => !configured.includes(id));
    return [...configured, ...unconfigured].map((id) => ({
      id,
      secrets: uses.get(id) ?? 0,
      isConfigured: configured.includes(id),
    }));
  }
}

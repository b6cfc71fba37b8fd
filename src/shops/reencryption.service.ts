// Each secret is replaced by a statement of its own, and only while it still is what was read: no lock is held between
// reading and writing, a kill leaves every secret under one key or the other, and who rotates a secret meanwhile wins.
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Encryption, keyIdOf } from '../platform/encryption/encryption.js';
import { COUNT_OUTDATED, outdated, replaceSealed, type SealedRow, SECRETS_BY_KEY } from './reencryption.queries.js';
import { SEALED_SECRETS, type SealedSecret } from './sealed-secrets.js';

const BATCH = 200;
/** What is written under an older key while a pass runs is for the next one; a service that keeps on doing so is told of. */
const MAX_PASSES = 5;

/** A secret that stays as it is, because nobody can open it. */
export interface UnreadableSecret {
  shopId: number;
  /** Of a secret that goes with a payment. */
  paymentId: number | null;
  column: string;
  keyId: string;
  /** `unknown_key`: no configured key has that id. `damaged`: one has, and does not open it. */
  reason: 'unknown_key' | 'damaged';
}

export interface KeyUse {
  id: string;
  /** How many secrets are sealed with it. */
  secrets: number;
  isConfigured: boolean;
}

export interface Reencryption {
  reencrypted: number;
  unreadable: UnreadableSecret[];
  /** The configured keys, the current one first, then others that something is sealed with. */
  keys: KeyUse[];
}

/** After each batch: how many secrets have been re-encrypted so far, and how many are left to look at. */
export type ReencryptionProgress = (reencrypted: number, left: number) => void;

interface Pass {
  reencrypted: number;
  /** Written by somebody else between reading and writing. */
  overtaken: number;
  unreadable: UnreadableSecret[];
}

/** Brings everything that older keys sealed under the current one, and binds it to its row, while the service runs. */
@Injectable()
export class ReencryptionService {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /** May be ended at any moment and run again, also twice at once. */
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
    for (const secret of SEALED_SECRETS) {
      for await (const batch of this.batches(secret)) {
        for (const row of batch) await this.reencrypt(secret, row, pass);
        progress(pass.reencrypted, (seen += batch.length));
      }
    }
    return pass;
  }

  private async *batches(secret: SealedSecret): AsyncGenerator<SealedRow[]> {
    let batch: SealedRow[];
    let afterId = 0;
    do {
      batch = await this.database.query<SealedRow>(outdated(secret), [...this.current, afterId, BATCH]);
      if (batch.length > 0) yield batch;
      afterId = batch.at(-1)?.id ?? afterId;
    } while (batch.length === BATCH);
  }

  private async reencrypt(secret: SealedSecret, row: SealedRow, pass: Pass): Promise<void> {
    const { id, owner_id: ownerId, shop_id: shopId, sealed } = row;
    const fresh = this.resealed(secret, row);
    if (fresh === undefined) {
      const keyId = keyIdOf(sealed);
      const reason = this.encryption.keyIds.includes(keyId) ? 'damaged' : 'unknown_key';
      const paymentId = secret.ownerId === 'payment_id' ? ownerId : null;
      pass.unreadable.push({ shopId, paymentId, column: secret.column, keyId, reason });
      return;
    }
    const replaced = await this.database.query(replaceSealed(secret), [id, ownerId, sealed, fresh]);
    if (replaced.length > 0) pass.reencrypted += 1;
    else pass.overtaken += 1;
  }

  /** `undefined`: nobody can open it. */
  private resealed({ purpose }: SealedSecret, { sealed, row }: SealedRow): Buffer | undefined {
    let secret: string;
    try {
      secret = this.encryption.decrypt(sealed, purpose, row);
    } catch {
      return undefined;
    }
    return this.encryption.encrypt(secret, purpose, row);
  }

  private async countOutdated(): Promise<number> {
    return (await this.database.query<{ secrets: number }>(COUNT_OUTDATED, this.current))[0]!.secrets;
  }

  /** What the statements compare with: the key that seals, and whether rows are bound. */
  private get current(): [string, boolean] {
    return [this.encryption.currentKeyId, this.encryption.bindsRows];
  }

  private async keys(): Promise<KeyUse[]> {
    const rows = await this.database.query<{ id: string; secrets: number }>(SECRETS_BY_KEY);
    const uses = new Map(rows.map(({ id, secrets }) => [id, secrets]));
    const configured = this.encryption.keyIds;
    const strangers = [...uses.keys()].filter((id) => !configured.includes(id));
    return [...configured, ...strangers].map((id) => ({
      id,
      secrets: uses.get(id) ?? 0,
      isConfigured: configured.includes(id),
    }));
  }
}

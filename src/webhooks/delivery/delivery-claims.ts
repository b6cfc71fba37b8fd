import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { SealedSecrets, WebhookSecrets } from '../../shops/webhook-secrets.js';
import { Batcher } from '../../shared/batcher.js';
import { WebhookSigner } from './signature.js';
import {
  type ClaimedRow,
  DeliveryStore,
  type LaneClaim,
  type Lease,
  MAX_REMEMBERED,
  MAX_ROWS,
  SUSPECT_INTERVAL_MS,
} from './delivery-store.js';

/** A delivery under lease, with what signs it. */
export interface ClaimedDelivery extends ClaimedRow {
  /** Signs for its shop. `undefined`: the secrets could not be decrypted, which is a fault of this service. */
  signer: WebhookSigner | undefined;
  /** When its lease began at the latest, by `performance.now()`. */
  leasedAt: number;
}

/** Due changes of one payment, in their order: each is sent when the first attempt of the one before was answered. */
export type Unit = [ClaimedDelivery, ...ClaimedDelivery[]];

export interface Claim extends LaneClaim {
  /** Its endpoint answers. */
  isHealthy: boolean;
}

/** What decrypts secrets: `ShopsService`. Throws when it cannot. */
export interface SecretsDecrypter {
  openWebhookSecrets(sealed: SealedSecrets): WebhookSecrets;
}

/**
 * What a lease has on top of the time-out of an attempt. The first half is for the claim and for what is sent before, the
 * second for a record that takes some tries. A dead worker's deliveries are due again after time-out and margin.
 */
const LEASE_MARGIN_MS = 10_000;

/**
 * Claims due deliveries under a lease. Claims of the same moment become one statement. Lanes that may not answer have
 * statements of their own, one at a time, so healthy lanes do not wait for them.
 */
@Injectable()
export class DeliveryClaims {
  private readonly logger = new Logger(DeliveryClaims.name);
  readonly leaseMs: number;
  /** By the sealed secrets: another secret is another key. To decrypt them takes longer than to sign. */
  private readonly signers = new LRUCache<string, WebhookSigner>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
  });
  private readonly healthy = new Batcher((claims: Claim[]) => this.run(claims), {
    maxSize: MAX_ROWS,
    maxConcurrent: 2,
  });
  private readonly suspect = new Batcher((claims: Claim[]) => this.run(claims), {
    maxSize: MAX_ROWS,
    maxConcurrent: 1,
    minIntervalMs: SUSPECT_INTERVAL_MS,
  });
  private readonly releases = new Batcher((leases: Lease[]) => this.runReleases(leases), {
    maxSize: MAX_ROWS,
    maxConcurrent: 1,
  });

  constructor(
    private readonly store: DeliveryStore,
    @Inject(ShopsService) private readonly shops: SecretsDecrypter,
    @InjectConfig() config: Pick<Config, 'webhookTimeoutMs'>,
  ) {
    this.leaseMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  }

  /** Due units of the lane, oldest first. Send each while `maySend`, or release it: the lease outlasts one attempt. */
  claim(claim: Claim): Promise<Unit[]> {
    return (claim.isHealthy ? this.healthy : this.suspect).add(claim);
  }

  /** Whether its lease outlasts an attempt that starts now, and the record of it. */
  maySend({ leasedAt }: ClaimedDelivery): boolean {
    return performance.now() - leasedAt <= LEASE_MARGIN_MS / 2;
  }

  /** Makes due again at once what was not sent. Never rejects: the end of the lease does the same. */
  async release(deliveries: Lease[]): Promise<void> {
    await Promise.all(deliveries.map((delivery) => this.releases.add(delivery).catch(() => undefined)));
  }

  private async runReleases(leases: Lease[]): Promise<undefined[]> {
    await this.store.release(leases);
    return leases.map(() => undefined);
  }

  private async run(claims: Claim[]): Promise<Unit[][]> {
    const askedAt = performance.now();
    const rows = await this.store.claim(claims, this.leaseMs);
    const lanes = new Map<number, Unit[]>(claims.map(({ laneId }) => [laneId, []]));
    for (const unit of this.units(this.signed(rows, askedAt))) lanes.get(unit[0].lane_id)?.push(unit);
    for (const units of lanes.values()) units.sort(byAge); // RETURNING has no order
    // never the same units to two claims of one lane, should there ever be two at once
    return claims.map(({ laneId, quota }) => lanes.get(laneId)!.splice(0, quota));
  }

  /** Rows that follow none that was claimed are released: another worker has changed it since the statement began. */
  private units(rows: ClaimedDelivery[]): Unit[] {
    const units: Unit[] = [];
    const byLast = new Map<number, Unit>();
    const orphans: ClaimedDelivery[] = [];
    for (const row of rows.sort((one, other) => one.id - other.id)) {
      const unit = row.predecessor_id === null ? undefined : byLast.get(row.predecessor_id);
      if (unit) byLast.set(row.id, (unit.push(row), unit));
      else if (row.predecessor_id !== null) orphans.push(row);
      else {
        const started: Unit = [row];
        units.push(started);
        byLast.set(row.id, started);
      }
    }
    if (orphans.length > 0) void this.release(orphans);
    return units;
  }

  /** A shop whose secrets cannot be decrypted does not hold up the others. */
  private signed(rows: ClaimedRow[], leasedAt: number): ClaimedDelivery[] {
    const signers = new Map<number, WebhookSigner | undefined>();
    for (const { shop_id: shopId, encrypted_secrets: sealed } of rows)
      if (!signers.has(shopId)) signers.set(shopId, this.signerOf(shopId, sealed));
    // no copies: a claim may have hundreds
    return rows.map((row) => Object.assign(row, { signer: signers.get(row.shop_id), leasedAt }));
  }

  private signerOf(shopId: number, sealed: SealedSecrets): WebhookSigner | undefined {
    try {
      const { current, previous, next, signing_keys: keys, merchant_id: merchantId } = sealed;
      const text = [merchantId, shopId, current, previous, next, ...(keys ?? [])].join();
      const known = this.signers.get(text) ?? new WebhookSigner(this.shops.openWebhookSecrets(sealed));
      this.signers.set(text, known);
      return known;
    } catch (error) {
      this.logger.error({ msg: 'webhook secrets unreadable', shopId, err: error });
      return undefined;
    }
  }
}

const byAge = ([one]: Unit, [other]: Unit): number => one.due_at - other.due_at || one.id - other.id;

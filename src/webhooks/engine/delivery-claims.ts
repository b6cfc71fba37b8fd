import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { EncryptedReceiver } from '../endpoint/secrets/encrypted-receiver.js';
import type { Receiver } from '../endpoint/secrets/receiver.js';
import { ReceiverSecrets } from '../endpoint/secrets/receiver-secrets.service.js';
import { Batcher } from '../../shared/batcher.js';
import {
  type ClaimedRow,
  DeliveryStore,
  type LaneClaim,
  type Lease,
  MAX_ROWS,
  SUSPECT_INTERVAL_MS,
} from './delivery-store.js';

/** A leased delivery with its receiver. */
export interface ClaimedDelivery extends ClaimedRow {
  /** `undefined`: its secrets could not be decrypted, which is a fault of this service. */
  receiver: Receiver | undefined;
  /** Earliest possible start of the lease, by `performance.now()`. */
  leasedAt: number;
}

/** Due changes of one payment, in their order. Each is sent after the first attempt of the previous one was answered. */
export type Unit = [ClaimedDelivery, ...ClaimedDelivery[]];

export interface Claim extends LaneClaim {
  /** The endpoint of the lane answers. */
  isHealthy: boolean;
}

/**
 * Duration of a lease in addition to the time-out of an attempt. The first half covers the claim and the sends before
 * this one, the second half retries of the record. A dead worker's deliveries are due again after time-out plus margin.
 */
const LEASE_MARGIN_MS = 10_000;

/**
 * Claims due deliveries under a lease. One statement serves concurrent claims of many lanes. Lanes that may not answer
 * have separate statements, one at a time, so healthy lanes do not wait for them.
 */
@Injectable()
export class DeliveryClaims {
  private readonly logger = new Logger(DeliveryClaims.name);
  readonly leaseMs: number;
  private readonly healthy = new Batcher((claims: Claim[]) => this.run(claims), {
    maxSize: MAX_ROWS,
    maxConcurrent: 2,
  });
  private readonly suspect = new Batcher((claims: Claim[]) => this.run(claims), {
    maxSize: MAX_ROWS,
    maxConcurrent: 1,
    minIntervalMs: SUSPECT_INTERVAL_MS,
  });
  private readonly releases = new Batcher((leases: Lease[]) => this.store.release(leases).then(() => leases), {
    maxSize: MAX_ROWS,
    maxConcurrent: 1,
  });

  constructor(
    private readonly store: DeliveryStore,
    @Inject(ReceiverSecrets) private readonly secrets: Pick<ReceiverSecrets, 'receiver'>,
    @InjectConfig() config: Pick<Config, 'webhookTimeoutMs'>,
  ) {
    this.leaseMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  }

  /** Returns due units of the lane, oldest first. The caller sends each while `maySend` allows it, or releases it. */
  claim(claim: Claim): Promise<Unit[]> {
    return (claim.isHealthy ? this.healthy : this.suspect).add(claim);
  }

  /** Returns whether the lease is long enough for an attempt that starts now, and for its record. */
  maySend({ leasedAt }: ClaimedDelivery): boolean {
    return performance.now() - leasedAt <= LEASE_MARGIN_MS / 2;
  }

  /** Makes unsent deliveries due again at once. Never rejects: the end of the lease has the same effect. */
  async release(deliveries: Lease[]): Promise<void> {
    await Promise.all(deliveries.map((delivery) => this.releases.add(delivery).catch(() => undefined)));
  }

  private async run(claims: Claim[]): Promise<Unit[][]> {
    const askedAt = performance.now();
    const rows = await this.store.claim(claims, this.leaseMs);
    const lanes = new Map<number, Unit[]>(claims.map(({ laneId }) => [laneId, []]));
    for (const unit of this.units(this.withReceivers(rows, askedAt))) lanes.get(unit[0].lane_id)?.push(unit);
    for (const units of lanes.values()) units.sort(byAge); // RETURNING has no order
    // if two claims of one lane ever run together, each unit goes to one of them only
    return claims.map(({ laneId, quota }) => lanes.get(laneId)!.splice(0, quota));
  }

  /** Releases rows whose predecessor was not claimed: another worker has changed that one since the statement began. */
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

  /** Adds the receivers. One whose secrets cannot be decrypted does not block the others. */
  private withReceivers(rows: ClaimedRow[], leasedAt: number): ClaimedDelivery[] {
    const receivers = new Map<EncryptedReceiver, Receiver | undefined>();
    for (const { encrypted_receiver: encrypted } of rows)
      if (!receivers.has(encrypted)) receivers.set(encrypted, this.decrypted(encrypted));
    // no copies: a claim may have hundreds of rows
    const deliveries = rows as ClaimedDelivery[];
    for (const delivery of deliveries) {
      const receiver = receivers.get(delivery.encrypted_receiver);
      delivery.receiver = receiver;
      delivery.leasedAt = leasedAt;
      // a standing endpoint has a present address
      if (receiver && receiver.url !== null) delivery.webhook_endpoint = receiver.url;
    }
    return deliveries;
  }

  private decrypted(encrypted: EncryptedReceiver): Receiver | undefined {
    try {
      return this.secrets.receiver(encrypted);
    } catch (error) {
      const { shop_id: shopId, endpoint_id: endpointId } = encrypted;
      this.logger.error({ msg: 'cannot decrypt webhook secrets', shopId, endpointId, err: error });
      return undefined;
    }
  }
}

const byAge = ([one]: Unit, [other]: Unit): number => one.due_at - other.due_at || one.id - other.id;

import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { SealedSecrets, WebhookSecrets } from '../../shops/webhook-secrets.js';
import { Batcher } from '../../shared/batcher.js';
import { growingCache } from '../../shared/growing-cache.js';
import { WebhookSigner } from './signature.js';
import { type ClaimedRow, DeliveryStore, type LaneInfo, type Lease } from './delivery-store.js';

/** A delivery under lease, with what signs it. */
export interface ClaimedDelivery extends ClaimedRow {
  /** Of its shop. `undefined`: the secrets could not be opened, which is our fault and not the receiver's. */
  signer: WebhookSigner | undefined;
  /** When its lease began at the latest, as `performance.now()` tells it. */
  leasedAt: number;
  /** The next change of the payment, leased with this one: to be sent when this first attempt has ended, or handed back. */
  next?: ClaimedDelivery;
}

/** With those that were leased along with them. */
export const withNext = (deliveries: ClaimedDelivery[]): ClaimedDelivery[] =>
  deliveries.flatMap((delivery) => (delivery.next ? [delivery, delivery.next] : [delivery]));

export interface Claim {
  lane: Pick<LaneInfo, 'id'>;
  /** Deliveries at most, and bytes of their bodies. */
  quota: number;
  maxBytes: number;
  /** The lane has nothing in flight: whatever is due there waits for this claim. */
  isUrgent: boolean;
  /** Its endpoint answers. */
  isAnswering: boolean;
}

/** What opens secrets: `ShopsService`. Throws when it cannot. */
export interface SecretsOpener {
  openWebhookSecrets(sealed: SealedSecrets): WebhookSecrets;
}

/** A process that is too slow for this many leaves what it claimed to others. */
const MOST_RENEWALS = 2;

/** Deliveries that are worth a statement of their own. */
const ENOUGH_ROWS = 32;

/** What a lease has on top of an attempt's timeout: time to claim, and to record even when that takes some tries. */
const LEASE_MARGIN_MS = 2_000;

/** Lanes that may not answer, in one statement: they come by hundreds when their attempts have timed out together. */
const MOST_UNPROVEN = 64;
/** From one of these statements to the next, unless it is full: where thousands are tried in vain, others need the database. */
const BETWEEN_UNPROVEN_MS = 25;

/** Leases that one statement ends: those of a lane that stops answering come back by hundreds. */
const MOST_HANDED_BACK = 500;

/** What signs for so many shops is kept: to open the secrets of one takes longer than to sign with them. */
const MAX_SIGNERS = 10_000;

/**
 * Claims due deliveries; the claims of lanes that run at the same moment become one statement. Those of lanes that may not
 * answer have statements of their own, one at a time and not too large, so that lanes that answer do not wait for them.
 */
@Injectable()
export class DeliveryClaims {
  private readonly logger = new Logger(DeliveryClaims.name);
  /** From the statement that claims. */
  readonly leaseMs: number;
  /** By what the secrets are while they are sealed: another secret is another text. */
  private readonly signers = growingCache<string, WebhookSigner>(MAX_SIGNERS);
  private readonly handingBack = new Batcher<Lease, undefined>((leases) => this.handBackAll(leases), {
    maxSize: MOST_HANDED_BACK,
    maxRuns: 1,
  });
  private readonly answering = new Batcher<Claim, ClaimedDelivery[]>((claims) => this.run(claims), {
    maxSize: 200,
    maxRuns: 2,
    // a lane that has something in flight can wait for others; a statement costs as much as twenty of its rows
    spacingMs: 5,
    enough: ENOUGH_ROWS,
    weightOf: ({ quota, isUrgent }) => (isUrgent ? ENOUGH_ROWS : quota),
  });
  private readonly unproven = new Batcher<Claim, ClaimedDelivery[]>((claims) => this.run(claims), {
    maxSize: MOST_UNPROVEN,
    maxRuns: 1,
    full: 1,
    spacingMs: BETWEEN_UNPROVEN_MS,
  });

  constructor(
    private readonly store: DeliveryStore,
    @Inject(ShopsService) private readonly shops: SecretsOpener,
    @InjectConfig() config: Pick<Config, 'webhookTimeoutMs'>,
  ) {
    this.leaseMs = config.webhookTimeoutMs + LEASE_MARGIN_MS;
  }

  /**
   * Due deliveries of the lane, oldest first, leased to the caller, those of an endpoint that answers each with the next
   * change of its payment. The lease outlasts one attempt, so post them at once, or hand them back; an expired lease brings
   * them back to everybody. What is not urgent may wait some milliseconds.
   */
  claim(claim: Claim): Promise<ClaimedDelivery[]> {
    return (claim.isAnswering ? this.answering : this.unproven).add(claim);
  }

  /** Makes due again at once what was claimed and not sent. Never rejects: an expired lease does the same. */
  async handBack(rows: Lease[]): Promise<void> {
    await Promise.all(rows.map((row) => this.handingBack.add(row).catch(() => undefined)));
  }

  private async handBackAll(leases: Lease[]): Promise<undefined[]> {
    await this.store.handBack(leases);
    return leases.map(() => undefined);
  }

  private async run(claims: Claim[]): Promise<ClaimedDelivery[][]> {
    const askedAt = performance.now();
    const claimed = await this.store.claim(
      claims.map(({ lane, quota, maxBytes, isAnswering }) => ({
        laneId: lane.id,
        quota,
        maxBytes,
        // of others it would wait for an attempt that may take its whole time
        withNext: isAnswering,
      })),
      this.leaseMs,
    );
    if (claimed.length === 0) return claims.map(() => []);
    const rows = isStillLong(askedAt) ? this.opened(claimed, askedAt) : await this.renewed(claimed);
    const lanes = new Map<number, ClaimedDelivery[]>(claims.map(({ lane }) => [lane.id, []]));
    for (const row of this.inTurn(rows)) lanes.get(row.lane_id)?.push(row);
    for (const lane of lanes.values()) lane.sort(byAge); // RETURNING has no order
    // never the same rows to two claims of one lane, should there ever be two at once
    return claims.map(({ lane, quota }) => lanes.get(lane.id)!.splice(0, quota));
  }

  /**
   * Those that are still ours, with a lease that outlasts an attempt again: the database took its time, or this process
   * stood still. Of the others somebody else may be about to record an attempt that puts the next one off.
   */
  private async renewed(claimed: ClaimedRow[]): Promise<ClaimedDelivery[]> {
    const ours = new Map(claimed.map((row) => [row.id, row]));
    for (let tries = 0; tries < MOST_RENEWALS && ours.size > 0; tries++) {
      const askedAt = performance.now();
      const leases = await this.store.renew([...ours.values()], this.leaseMs);
      const renewed = leases.map(({ id, lease }) => ({ ...ours.get(id)!, lease }));
      if (isStillLong(askedAt)) return this.opened(renewed, askedAt);
      ours.clear();
      for (const row of renewed) ours.set(row.id, row);
    }
    this.logger.warn({ msg: 'claimed too slowly to post within the lease', deliveries: claimed.length });
    return [];
  }

  /** Those that wait for none of the others, with those that do. */
  private inTurn(rows: ClaimedDelivery[]): ClaimedDelivery[] {
    if (rows.every(({ follows }) => follows === null)) return rows;
    const ofId = new Map(rows.map((row) => [row.id, row]));
    const alone = rows.filter(({ follows }) => follows !== null && !ofId.has(follows));
    for (const row of rows) if (row.follows !== null && ofId.has(row.follows)) ofId.get(row.follows)!.next = row;
    // somebody else has taken what they follow since
    void this.handBack(alone);
    return rows.filter(({ follows }) => follows === null);
  }

  /** A shop whose secrets cannot be opened does not hold up the others. */
  private opened(rows: ClaimedRow[], leasedAt: number): ClaimedDelivery[] {
    const signers = new Map<number, WebhookSigner | undefined>();
    const deliveries = rows as ClaimedDelivery[];
    for (const delivery of deliveries) {
      const { shop_id: shopId, sealed_secrets: sealed } = delivery;
      if (!signers.has(shopId)) signers.set(shopId, this.signerOf(shopId, sealed));
      delivery.signer = signers.get(shopId);
      delivery.leasedAt = leasedAt;
    }
    return deliveries;
  }

  private signerOf(shopId: number, sealed: SealedSecrets): WebhookSigner | undefined {
    try {
      const { current, previous, next, signing_keys: keys, merchant_id: merchantId } = sealed;
      const text = [merchantId, shopId, current, previous, next, ...(keys ?? [])].join();
      const known = this.signers.get(text);
      if (known) return known;
      const signer = new WebhookSigner(this.shops.openWebhookSecrets(sealed));
      this.signers.set(text, signer);
      return signer;
    } catch (error) {
      this.logger.error({ msg: 'webhook secrets unreadable', shopId, err: error });
      return undefined;
    }
  }
}

const byAge = (one: ClaimedRow, other: ClaimedRow): number => one.due_at - other.due_at || one.id - other.id;

/** Whether a lease asked for at `askedAt` outlasts an attempt that starts now; it began later than that. */
const isStillLong = (askedAt: number): boolean => performance.now() - askedAt <= LEASE_MARGIN_MS;

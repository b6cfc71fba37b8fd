// The environment of a DeliveryDispatcher in its spec: a store in memory, and receivers without a network.
import type { OutboundResult } from '../../../src/platform/outbound/outbound-result.js';
import type {
  AttemptRecord,
  ClaimedRow,
  LaneClaim,
  Lease,
  Recorded,
} from '../../../src/webhooks/engine/delivery-store.js';
import type { SignedRequest } from '../../../src/webhooks/endpoint/webhook-sender.js';
import { MemoryDeliveryStore, type NewMemoryDelivery } from './memory-delivery-store.js';

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The store in memory, which records its calls. Lane `id` belongs to shop `id`, and by default to merchant `id`. */
export class RecordingStore extends MemoryDeliveryStore {
  readonly recorded: AttemptRecord[] = [];
  readonly released: Lease[] = [];
  readonly claims: LaneClaim[] = [];
  failing = false;

  constructor(
    private readonly origin?: string,
    private readonly merchantOf = (laneId: number) => laneId,
  ) {
    super();
  }

  add(laneId: number, count: number, fields: Partial<NewMemoryDelivery> = {}): this {
    const origin = this.origin ?? `http://lane-${laneId}`;
    this.addLane({ id: laneId, shop_id: laneId, merchant_id: this.merchantOf(laneId), origin });
    for (let added = 0; added < count; added++) {
      const id = this.deliveries.size + 1;
      this.append({ id, laneId, paymentId: id, endpoint: `${origin}/${laneId}`, body: '{}', ...fields });
    }
    return this;
  }

  get leased(): number {
    return [...this.deliveries.values()].filter(({ lease }) => lease !== null).length;
  }

  override async claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    await pause(1);
    if (this.failing) throw new Error('the database is down');
    this.claims.push(...claims);
    return super.claim(claims, leaseMs);
  }

  override release(leases: Lease[]): Promise<void> {
    this.released.push(...leases);
    return super.release(leases);
  }

  override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    this.recorded.push(...attempts);
    return super.record(attempts);
  }
}

export const answer = (fields: Partial<OutboundResult> = {}): OutboundResult => ({
  statusCode: 200,
  error: null,
  startedAt: new Date(),
  durationMs: 5,
  retryAfter: null,
  responseBody: Buffer.alloc(0),
  ...fields,
});
export const timeout = (): OutboundResult => answer({ statusCode: null, error: 'timeout', durationMs: 3_000 });

/** Receivers that answer as the test decides. */
export class FakeReceivers {
  readonly sent: string[] = [];
  readonly inFlight = new Map<string, number>();
  maxBytes = 0;
  private bytes = 0;
  readonly max = new Map<string, number>();

  constructor(private readonly reply: (url: URL) => Promise<OutboundResult>) {}

  async send({ url, body }: SignedRequest): Promise<OutboundResult> {
    const parsed = new URL(url);
    this.sent.push(url);
    this.count(parsed.host, 1, body.length);
    try {
      return await this.reply(parsed);
    } finally {
      this.count(parsed.host, -1, -body.length);
    }
  }

  private count(host: string, requests: number, bytes: number): void {
    const now = (this.inFlight.get(host) ?? 0) + requests;
    this.inFlight.set(host, now);
    this.max.set(host, Math.max(this.max.get(host) ?? 0, now));
    this.bytes += bytes;
    this.maxBytes = Math.max(this.maxBytes, this.bytes);
  }
}

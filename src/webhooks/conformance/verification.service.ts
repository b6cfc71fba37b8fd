import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { parseJsonBody } from '../../platform/http/body/json-body.js';
import { Clock } from '../../shared/clock.js';
import { ShopsService } from '../../shops/shops.service.js';
import { renderSampleBody } from '../outbox/sample-payload.js';
import { explainSignature, type Explanation, type GivenWebhook, type Known } from './signature-explanation.js';

/** Maximum bodies of a payment that are compared, newest first. */
const MAX_SENT_BODIES = 20;

/** Bodies of the payment $1 and the shop $2, newest first: $3 address or null for any, $4 limit. */
const SENT_BODIES: Statement = {
  name: 'webhooks.sent_bodies',
  text: `SELECT request_body AS body FROM all_deliveries
    WHERE payment_id = $1 AND shop_id = $2 AND ($3::text IS NULL OR webhook_endpoint = $3) ORDER BY id DESC LIMIT $4`,
};

export interface VerificationRequest extends GivenWebhook {
  shopId: number;
  /** Address of the webhook; absent: any. */
  endpoint: string | undefined;
}

/** Explains why a receiver refuses a webhook. Changes nothing. */
@Injectable()
export class WebhookVerificationService {
  constructor(
    private readonly shops: ShopsService,
    private readonly database: Database,
    private readonly work: CpuScheduler,
    private readonly clock: Clock,
  ) {}

  /** Returns the explanation. Problems: `shop_not_found`, `too_many_requests`, `client_closed_request`. */
  async explain(request: VerificationRequest, owner: WorkOwner): Promise<Explanation> {
    const { shopId } = request;
    const shop = await this.shops.find(owner.merchantId, shopId);
    const [secrets, all, sentBodies] = await Promise.all([
      this.shops.webhookSecrets([shopId]),
      this.shops.secretsOfMerchant(owner.merchantId, shopId),
      this.sentBodies(request, shop),
    ]);
    const { current, signingKeys = [] } = secrets.get(shopId)!;
    const known: Known = {
      current: [current],
      signingKeys,
      others: all.flatMap((each) => (each.shopId === shopId && each.secret !== current ? [each.secret] : [])),
      otherShops: all.filter((each) => each.shopId !== shopId),
      sentBodies,
      now: Math.floor(this.clock.now().getTime() / 1_000),
    };
    return this.work.run(owner, explainSignature(request, known));
  }

  /** Returns the sent bodies of the payment that the body names. For a test webhook it renders the body from its time. */
  private async sentBodies(
    { body, shopId, endpoint }: VerificationRequest,
    shop: Parameters<typeof renderSampleBody>[0],
  ): Promise<string[]> {
    const { id, time } = claimedBy(body);
    if (id === 0 && time !== undefined) return [renderSampleBody(shop, time)];
    if (id === undefined || id <= 0) return [];
    const values = [id, shopId, endpoint ?? null, MAX_SENT_BODIES];
    const rows = await this.database.query<{ body: string }>(SENT_BODIES, values);
    return rows.map((row) => row.body).filter((sent) => sent !== '');
  }
}

/** Reads the payment id and the time from the body, if possible. */
function claimedBy(body: string): { id?: number; time?: Date } {
  let parsed: { payment?: { id?: unknown }; timestamp?: unknown } | null | undefined;
  try {
    parsed = parseJsonBody(Buffer.from(body, 'utf8')) as typeof parsed;
  } catch {
    return {};
  }
  const id = parsed?.payment?.id;
  const ms = typeof parsed?.timestamp === 'string' ? Date.parse(parsed.timestamp) : NaN;
  return {
    ...(Number.isSafeInteger(id) && { id: id as number }),
    ...(!Number.isNaN(ms) && { time: new Date(ms) }),
  };
}

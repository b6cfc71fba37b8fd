import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { parseJsonBody } from '../../platform/http/body/json-body.js';
import { Clock } from '../../shared/clock.js';
import { type FieldError, Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import { EndpointsService } from '../endpoints/endpoints.service.js';
import { CURRENT_SECRET } from '../standing-endpoints/encrypted-endpoint.js';
import { EndpointSecrets } from '../standing-endpoints/endpoint-secrets.service.js';
import { renderSampleBody } from '../outbox/sample-payload.js';
import { explainSignature, type Explanation, type GivenWebhook, type Known } from './signature-explanation.js';

/** Maximum bodies of a payment that are compared, newest first. */
const MAX_SENT_BODIES = 20;

/** Bodies of the payment $1 of the merchant $2, newest first; $3 shop, $4 address, each null for any; $5 limit. */
const SENT_BODIES: Statement = {
  name: 'webhooks.sent_bodies',
  text: `SELECT request_body AS body FROM all_deliveries
    WHERE payment_id = $1 AND merchant_id = $2 AND ($3::bigint IS NULL OR shop_id = $3)
      AND ($4::text IS NULL OR webhook_endpoint = $4) ORDER BY id DESC LIMIT $5`,
};

/** The secrets of the standing endpoints of the merchant $1: the one that signs, and all that are stored. */
const STANDING_SECRETS: Statement = {
  name: 'webhooks.standing_secrets',
  text: `SELECT e.id, ${CURRENT_SECRET} AS current, ARRAY[e.sealed_secret, e.sealed_previous_secret] AS stored
    FROM webhook_endpoints e WHERE e.merchant_id = $1 AND e.status <> 'deleted' ORDER BY e.id`,
};

interface StandingRow {
  id: number;
  current: Buffer;
  stored: (Buffer | null)[];
}

/** A standing endpoint as the sender of a webhook. */
interface StandingSender {
  id: number;
  /** `null`: its key is lost. */
  current: string | null;
  secrets: string[];
}

type Sender = Pick<Known, 'current' | 'signingKeys' | 'others'>;
type Shop = Parameters<typeof renderSampleBody>[0];

const HEADER_OF_ENDPOINT = 'webhook-endpoint-id';
const HEADER_OF_SHOP = 'webhook-shop-id';

export interface VerificationRequest extends GivenWebhook {
  /** The shop of the webhook; optional for a standing endpoint. */
  shopId: number | undefined;
  /** The standing endpoint that sent it. If absent, the one that `webhook-endpoint-id` names. */
  endpointId: number | undefined;
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
    private readonly endpoints: EndpointsService,
    private readonly secrets: EndpointSecrets,
  ) {}

  /**
   * Returns the explanation. Problems: `shop_not_found`, `endpoint_not_found`, `endpoint_not_standing`, `validation_failed`,
   * `too_many_requests`, `client_closed_request`.
   */
  async explain(request: VerificationRequest, owner: WorkOwner): Promise<Explanation> {
    const { merchantId } = owner;
    const { shopId, endpointId } = request;
    if (endpointId !== undefined) await this.endpoints.requireStanding(merchantId, endpointId);
    const shop = shopId === undefined ? undefined : await this.shops.find(merchantId, shopId);
    const standing = await this.standingSenders(merchantId);
    const named = endpointId ?? Number(request.headers.get(HEADER_OF_ENDPOINT));
    const endpoint = standing.find(({ id }) => id === named);
    if (!shop && !endpoint) throw new Problem('validation_failed', { errors: [NO_SENDER] });
    const [shopSecrets, sentBodies] = await Promise.all([
      this.shops.secretsOfMerchant(merchantId, shopId ?? 0),
      this.sentBodies(request, merchantId, shop),
    ]);
    const sender = endpoint ? senderOf(endpoint) : await this.shopSender(shop!.id, shopSecrets);
    const otherSenders = [
      ...shopSecrets
        .filter((each) => endpoint || each.shopId !== shopId)
        .map(({ shopId: id, secret }) => ({ sender: `shop ${id}`, header: HEADER_OF_SHOP, secret })),
      ...standing
        .filter((each) => each !== endpoint)
        .flatMap(({ id, secrets }) =>
          secrets.map((secret) => ({ sender: `standing endpoint ${id}`, header: HEADER_OF_ENDPOINT, secret })),
        ),
    ];
    const now = Math.floor(this.clock.now().getTime() / 1_000);
    return this.work.run(owner, explainSignature(request, { ...sender, otherSenders, sentBodies, now }));
  }

  private async shopSender(shopId: number, all: readonly { shopId: number; secret: string }[]): Promise<Sender> {
    const { current, signingKeys = [] } = (await this.shops.webhookSecrets([shopId])).get(shopId)!;
    const others = all.flatMap((each) => (each.shopId === shopId && each.secret !== current ? [each.secret] : []));
    return { current: [current], signingKeys, others };
  }

  private async standingSenders(merchantId: number): Promise<StandingSender[]> {
    const rows = await this.database.query<StandingRow>(STANDING_SECRETS, [merchantId]);
    return rows.map(({ id, current, stored }) => {
      const open = (value: Buffer | null) => this.secrets.readable('sealed_secret', merchantId, id, value);
      return { id, current: open(current), secrets: stored.map(open).filter((secret) => secret !== null) };
    });
  }

  /** Returns the sent bodies of the payment that the body names. For a sample of a shop it renders the body from its time. */
  private async sentBodies(
    { body, shopId, endpoint }: VerificationRequest,
    merchantId: number,
    shop: Shop | undefined,
  ): Promise<string[]> {
    const { id, time } = claimedBy(body);
    if (id === 0 && time !== undefined) return shop ? [renderSampleBody(shop, time)] : [];
    if (id === undefined || id <= 0) return [];
    const values = [id, merchantId, shopId ?? null, endpoint ?? null, MAX_SENT_BODIES];
    const rows = await this.database.query<{ body: string }>(SENT_BODIES, values);
    return rows.map((row) => row.body).filter((sent) => sent !== '');
  }
}

const NO_SENDER: FieldError = {
  field: 'shop_id',
  message: `is required, unless endpoint_id or the header ${HEADER_OF_ENDPOINT} names a standing endpoint of yours`,
};

const senderOf = ({ current, secrets }: StandingSender): Sender => ({
  current: current === null ? [] : [current],
  signingKeys: [],
  others: secrets.filter((secret) => secret !== current),
});

/** Reads the payment id and the time from the body, if possible. */
function claimedBy(body: string): { id?: number; time?: Date } {
  let parsed: { payment?: { id?: unknown }; payment_id?: unknown; timestamp?: unknown } | null | undefined;
  try {
    parsed = parseJsonBody(Buffer.from(body, 'utf8')) as typeof parsed;
  } catch {
    return {};
  }
  const id = parsed?.payment?.id ?? parsed?.payment_id;
  const ms = typeof parsed?.timestamp === 'string' ? Date.parse(parsed.timestamp) : NaN;
  return {
    ...(Number.isSafeInteger(id) && { id: id as number }),
    ...(!Number.isNaN(ms) && { time: new Date(ms) }),
  };
}

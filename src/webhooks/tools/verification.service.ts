import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { parseJsonBody } from '../../platform/http/body/json-body.js';
import { Clock } from '../../shared/clock.js';
import { type FieldError, Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import { Receivers, type Sender } from '../endpoint/secrets/receivers.service.js';
import { renderSampleBody } from '../outbox/sample-payload.js';
import { explainSignature, type Explanation, type GivenWebhook } from './signature-explanation.js';

/** Maximum bodies of a payment that are compared, newest first. */
const MAX_SENT_BODIES = 20;

/** Bodies of the payment $1 of the merchant $2, newest first; $3 shop, $4 address, each null for any; $5 limit. */
const SENT_BODIES: Statement = {
  name: 'webhooks.sent_bodies',
  text: `SELECT request_body AS body FROM all_deliveries
    WHERE payment_id = $1 AND merchant_id = $2 AND ($3::bigint IS NULL OR shop_id = $3)
      AND ($4::text IS NULL OR webhook_endpoint = $4) ORDER BY id DESC LIMIT $5`,
};

type Shop = Parameters<typeof renderSampleBody>[0];

/** How a sender is named, and the header that names it. */
const NAMES = { default: 'shop', standing: 'standing endpoint' };
const HEADERS = { default: 'webhook-shop-id', standing: 'webhook-endpoint-id' };

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
    private readonly receivers: Receivers,
  ) {}

  /**
   * Returns the explanation. Problems: `shop_not_found`, `endpoint_not_found`, `endpoint_not_standing`, `validation_failed`,
   * `too_many_requests`, `client_closed_request`.
   */
  async explain(request: VerificationRequest, owner: WorkOwner): Promise<Explanation> {
    const { merchantId } = owner;
    const { shopId, endpointId } = request;
    if (endpointId !== undefined) await this.receivers.require({ kind: 'standing', merchantId, id: endpointId });
    const shop = shopId === undefined ? undefined : await this.shops.find(merchantId, shopId);
    const senders = await this.receivers.senders(merchantId, shopId);
    const named = endpointId ?? Number(request.headers.get(HEADERS.standing));
    const sender =
      senders.find(({ kind, id }) => kind === 'standing' && id === named) ??
      senders.find(({ kind, id }) => kind === 'default' && id === shopId);
    if (!sender) throw new Problem('validation_failed', { errors: [NO_SENDER] });
    const [signingKeys, sentBodies] = await Promise.all([
      this.signingKeysOf(sender),
      this.sentBodies(request, merchantId, shop),
    ]);
    const { current, secrets } = sender;
    const others = secrets.filter((secret) => secret !== current);
    const otherSenders = senders
      .filter((each) => each !== sender)
      .flatMap(({ kind, id, secrets: theirs }) =>
        theirs.map((secret) => ({ sender: `${NAMES[kind]} ${id}`, header: HEADERS[kind], secret })),
      );
    const now = Math.floor(this.clock.now().getTime() / 1_000);
    const known = { current: current === null ? [] : [current], signingKeys, others, otherSenders, sentBodies, now };
    return this.work.run(owner, explainSignature(request, known));
  }

  private async signingKeysOf({ kind, id }: Sender): Promise<readonly KeyObject[]> {
    if (kind === 'standing') return [];
    return (await this.receivers.secretsOfShops([id])).get(id)?.signingKeys ?? [];
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
  message: `is required, unless endpoint_id or the header ${HEADERS.standing} names a standing endpoint of yours`,
};

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

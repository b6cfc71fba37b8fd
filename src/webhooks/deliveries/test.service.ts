import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { Random } from '../../shared/random.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { renderSampleBody } from '../outbox/sample-payload.js';
import { WebhookSigner } from '../outbox/signature.js';
import { TestRate } from '../outbox/test-rate.service.js';
import { WebhookSender } from '../delivery/webhook-sender.js';

export interface TestResult {
  result: OutboundResult;
  signature: string;
  requestBody: string;
}

/** Sends test webhooks. */
@Injectable()
export class WebhookTestService {
  constructor(
    private readonly shops: ShopsService,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly database: Database,
    private readonly audit: AuditLogService,
    private readonly rate: TestRate,
  ) {}

  /**
   * Sends one signed sample webhook at once, with `Webhook-Test: true`. Only the audit entry is stored. Throws
   * `shop_not_found` and
   * `too_many_requests`.
   */
  async test(merchantId: number, shopId: number, endpoint: string, context: AuditContext): Promise<TestResult> {
    const shop = await this.shops.find(merchantId, shopId);
    await this.rate.take(merchantId);
    const secrets = (await this.shops.webhookSecrets([shopId])).get(shopId);
    if (!secrets) throw new Error(`shop ${shopId} has no webhook secret`);
    const entry = { merchantId, action: 'webhook.tested', objectId: shopId } as const;
    await this.database.transaction((transaction) => this.audit.record(transaction, context, entry));
    const body = renderSampleBody(shop, this.clock.now());
    const signer = new WebhookSigner(secrets);
    const result = await this.sender.send({
      id: `test_${this.random.uuid()}`,
      shopId,
      url: endpoint,
      body,
      signer,
      headers: { 'Webhook-Test': 'true' },
    });
    return { result, signature: signer.body(Buffer.from(body)), requestBody: body };
  }
}

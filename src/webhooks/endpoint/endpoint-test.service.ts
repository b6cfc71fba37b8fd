import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database } from '../../platform/database/database.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { Clock } from '../../shared/clock.js';
import { Random } from '../../shared/random.js';
import { TestRate } from './test-rate.service.js';
import { WebhookSender } from './webhook-sender.js';
import { Receivers } from './secrets/receivers.service.js';
import type { EventType } from '../event-types/event-catalogue.js';
import { renderSampleEvent } from '../event-types/sample-event.js';
import type { EndpointRef } from './secrets/receiver.js';

export interface TestResult {
  result: OutboundResult;
  signature: string;
  requestBody: string;
}

/** The choices of a test. */
export interface TestRequest {
  /** The address, for the default endpoint of a shop. */
  url?: string | undefined;
  /** Absent: the first type that the endpoint gets. */
  eventType?: EventType | undefined;
}

const ACTIONS = { default: 'webhook.tested', standing: 'endpoint.tested' } as const;

/** Sends samples of events to endpoints. */
@Injectable()
export class EndpointTests {
  constructor(
    private readonly receivers: Receivers,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly database: Database,
    private readonly audit: AuditLogService,
    private readonly rate: TestRate,
  ) {}

  /**
   * Sends one sample at once as a delivery is sent, with `Webhook-Test: true`, also to an endpoint that is not active.
   * Only the audit entry is stored. Throws `shop_not_found`, `endpoint_not_found`, `endpoint_not_standing` and
   * `too_many_requests`.
   */
  async test(endpoint: EndpointRef, { url, eventType }: TestRequest, context: AuditContext): Promise<TestResult> {
    const { kind, merchantId, id: objectId } = endpoint;
    await this.receivers.require(endpoint);
    await this.rate.take(merchantId);
    const { receiver, eventTypes, shop } = await this.receivers.find(endpoint);
    const entry = { merchantId, action: ACTIONS[kind], objectId };
    await this.database.transaction((transaction) => this.audit.record(transaction, context, entry));
    const body = renderSampleEvent(eventType ?? (eventTypes[0] as EventType), shop, this.clock.now());
    const result = await this.sender.send({
      id: `test_${this.random.uuid()}`,
      shopId: (JSON.parse(body) as { shop_id?: number | null }).shop_id === null ? null : shop.id,
      url: (url ?? receiver.url)!,
      body,
      receiver,
      headers: { 'Webhook-Test': 'true' },
    });
    const requestBody = this.sender.rendered(receiver, body);
    return { result, signature: receiver.signer.body(Buffer.from(requestBody)), requestBody };
  }
}

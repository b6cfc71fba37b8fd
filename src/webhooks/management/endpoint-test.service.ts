import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { Random } from '../../shared/random.js';
import { TestRate } from '../outbox/test-rate.service.js';
import type { TestResult } from '../deliveries/test.service.js';
import { renderedFor, WebhookSender } from '../delivery/webhook-sender.js';
import { EndpointReceivers } from '../endpoints/endpoint-receivers.service.js';
import { EndpointsService } from '../endpoints/endpoints.service.js';
import type { EventType } from '../event-types/event-catalogue.js';
import { renderSampleEvent } from '../event-types/sample-event.js';

/** Sends samples of events to standing endpoints. */
@Injectable()
export class EndpointTests {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly receivers: EndpointReceivers,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly database: Database,
    private readonly audit: AuditLogService,
    private readonly rate: TestRate,
  ) {}

  /**
   * Sends one sample at once as a delivery is sent, with `Webhook-Test: true`, also to an endpoint that is not active.
   * `eventType`: absent for the first type that the endpoint chose. Only the audit entry is stored. Throws
   * `endpoint_not_found`, `endpoint_not_standing` and `too_many_requests`.
   */
  async test(
    merchantId: number,
    id: number,
    eventType: EventType | undefined,
    context: AuditContext,
  ): Promise<TestResult> {
    await this.endpoints.requireStanding(merchantId, id);
    await this.rate.take(merchantId);
    const { destination, eventTypes, shop } = await this.receivers.find(merchantId, id);
    const entry = { merchantId, action: 'endpoint.tested', objectId: id } as const;
    await this.database.transaction((transaction) => this.audit.record(transaction, context, entry));
    const body = renderSampleEvent(eventType ?? (eventTypes[0] as EventType), shop, this.clock.now());
    const { url, signer } = destination;
    const result = await this.sender.send({
      id: `test_${this.random.uuid()}`,
      shopId: (JSON.parse(body) as { shop_id: number | null }).shop_id === null ? null : shop.id,
      url,
      body,
      signer,
      destination,
      headers: { 'Webhook-Test': 'true' },
    });
    const requestBody = renderedFor(destination, body);
    return { result, signature: signer.body(Buffer.from(requestBody)), requestBody };
  }
}

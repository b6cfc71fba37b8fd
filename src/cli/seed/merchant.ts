import { DEVELOPER, flowsOf, MANAGER, OWNER, SHOPS } from './cast.js';
import type { PastService } from './past-service.js';

type Definition = Record<string, unknown> & { shops: { shop_id: number; weight?: number; priority?: number }[] };

/** The endpoints: the path is that of a receiver. */
const ENDPOINTS = {
  erp: {
    path: '/erp',
    description: 'Accounting: orders and refunds',
    event_types: ['payment.status_changed', 'refund.updated'],
  },
  crm: { path: '/crm', description: 'Messages to customers', event_types: ['payment.status_changed'] },
  warehouse: {
    path: '/warehouse',
    description: 'Old warehouse system',
    event_types: ['payment.status_changed'],
    shops: ['Dublin'],
  },
};

/** The merchant's shops, flows and endpoints. */
export class Merchant {
  readonly shops: Record<string, number> = {};
  readonly flows: Record<string, number> = {};
  private readonly definitions: Record<string, Definition> = {};

  constructor(
    private readonly service: PastService,
    private readonly receiverUrl: string,
    private readonly notificationSecret: string,
  ) {}

  async open(): Promise<void> {
    for (const { name, account, fees } of SHOPS) {
      const credentials = { account, notification_secret: this.notificationSecret };
      const shop = { name, provider_account: account, provider_credentials: credentials, fees };
      this.shops[name] = (await this.service.call<{ id: number }>(OWNER, 'POST', '/shops', shop)).id;
    }
    for (const { name, ...definition } of flowsOf(this.shops)) {
      this.definitions[name] = definition as unknown as Definition;
      this.flows[name] = (
        await this.service.call<{ id: number }>(MANAGER, 'POST', '/flows', { name, ...definition })
      ).id;
    }
    await this.createEndpoint('erp');
    await this.createEndpoint('crm');
  }

  async createEndpoint(name: keyof typeof ENDPOINTS): Promise<void> {
    const { path, shops, ...endpoint } = { shops: undefined, ...ENDPOINTS[name] };
    await this.service.call(DEVELOPER, 'POST', '/webhooks/endpoints', {
      ...{ ...endpoint, url: this.receiverUrl + path },
      ...(shops && { shop_ids: shops.map((shop: string) => this.shops[shop]) }),
    });
  }

  /** Sets the sandbox's answer to every charge of a shop; without `token`: that of the payment's token. */
  async simulate(shop: string, token?: string): Promise<void> {
    const credentials = { simulate: token ?? null };
    await this.service.call(OWNER, 'PATCH', `/shops/${this.shops[shop]}`, { provider_credentials: credentials });
  }

  /** A draft of the flow with other shops, by their priority; its version. */
  async draft(flow: string, shops: string[]): Promise<number> {
    const { version } = await this.service.call<{ version: number }>(
      MANAGER,
      'POST',
      `/flows/${this.flows[flow]}/versions`,
      {
        ...this.definitions[flow],
        ...{ strategy: 'priority', rules: undefined, default: undefined },
        shops: shops.map((name, index) => ({ shop_id: this.shops[name], priority: index + 1 })),
      },
    );
    return version;
  }
}

import { served } from '../../app/api-client.js';
import { dataOf } from '../../app/merchant.js';
import type { WebhookHistory } from './history.js';

export interface Attempt {
  number: number;
  started_at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

export interface Listed {
  id: number;
  webhook_id: string;
  shop_id: number;
  payment_id: number;
  payment_status: string;
  webhook_endpoint: string;
  status: 'pending' | 'delivered' | 'failed';
  attempt_count: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
}

export interface Delivery extends Omit<Listed, 'attempts'> {
  attempts: Attempt[];
  request_body: string;
}

interface Event {
  id: string;
  type: string;
  shop_id: number;
  payment_id: number | null;
  data: Record<string, unknown>;
}

interface Endpoint {
  id: number;
  shop_id: number;
  origin: string;
  status: string;
  attempts: number;
  delivered: number;
  failed: number;
  pending: number;
  errors: { code: string; attempts: number }[];
}

interface Stats {
  total_payments: number;
  payments_with_webhooks: number;
  recent_webhooks: Listed[];
  webhook_secret: string;
}

interface Page<T> {
  data: T[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

const MOST_PAGES = 1_000;

/** A merchant's views of its webhooks. */
export class WebhookViews {
  constructor(private readonly history: WebhookHistory) {}

  /** Reads all pages. */
  async all<T>(path: string, query: Record<string, string | number> = {}, cursor = 'cursor'): Promise<T[]> {
    const items: T[] = [];
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    for (let page = 0; page < MOST_PAGES; page++) {
      const { data, pagination } = await this.get<Page<T>>(`${path}?${parameters.toString()}`);
      items.push(...data);
      if (!pagination.has_more) return items;
      parameters.set(cursor, pagination.next_cursor!);
    }
    throw new Error(`${path} has no end`);
  }

  deliveries(query: Record<string, string | number> = {}): Promise<Listed[]> {
    return this.all('/webhooks/deliveries', query);
  }

  /** All events: an event is visible when no transaction that began before it is open, in any test. */
  async events(): Promise<Event[]> {
    await this.history.harness.earlierTransactions();
    return this.all('/events', { limit: 37 }, 'after');
  }

  endpoints(): Promise<Endpoint[]> {
    return this.all('/webhooks/endpoints', { limit: 2 });
  }

  async delivery(id: number): Promise<Delivery> {
    return (await this.get<{ data: Delivery }>(`/webhooks/deliveries/${id}`)).data;
  }

  async stats(shopId: number): Promise<Stats> {
    return (await this.get<{ data: Stats }>(`/webhooks/shop/${shopId}/stats`)).data;
  }

  private async get<T>(path: string): Promise<T> {
    const response = await served<T>(() => this.history.merchant.api.get<T>(path));
    dataOf(response);
    return response.body;
  }
}

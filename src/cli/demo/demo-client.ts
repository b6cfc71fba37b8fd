export interface Shop {
  id: number;
  name: string;
  webhook_secret: string;
}

export interface Payment {
  id: number;
  status: string;
  provider_transaction_id: string;
  shop: { id: number; name: string };
}

export interface ShopStats {
  shop_name: string;
  total_payments: number;
  payments_with_webhooks: number;
  webhook_coverage_percentage: number;
  recent_webhooks: { payment_id: number; payment_status: string; status: string; attempt_count: number }[];
}

export interface Simulation {
  result: { primary_shop: { shop_name: string }; current_counter: number; next_counter: number };
}

/** A minimal client of the service's API, as a merchant would write it. */
export class DemoClient {
  private constructor(
    readonly baseUrl: string,
    private readonly token: string,
  ) {}

  static async login(baseUrl: string, id: string, secret: string): Promise<DemoClient> {
    const response = await fetch(`${baseUrl}/auth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const answer = (await response.json()) as { access_token?: string; error?: string };
    if (!answer.access_token) throw new Error(`no token: ${answer.error ?? response.status}`);
    return new DemoClient(baseUrl, answer.access_token);
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.call<T>('POST', path, body);
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    const answer = JSON.parse(text) as { data: T } | boolean;
    return typeof answer === 'boolean' ? (answer as T) : answer.data;
  }
}

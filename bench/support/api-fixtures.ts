import { CUSTOMER, METADATA } from './webhook-sample.js';

/** Calls the product's API; throws unless it answers 2xx. */
export async function callApi<T>(
  apiUrl: string,
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

export const FLOW = 'bench';

/** Creates `count` shops and a flow with them, as a merchant does. Returns the shops' ids. */
export async function createFlow(apiUrl: string, token: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= count; number++) {
    ids.push((await callApi<{ id: number }>(apiUrl, token, 'POST', '/shops', { name: `shop ${number}` })).id);
  }
  const shops = ids.map((id) => ({ shop_id: id }));
  await callApi(apiUrl, token, 'POST', '/flows', { name: FLOW, strategy: 'round_robin', shops });
  return ids;
}

/** The body of `POST /payments` for webhooks of 1.2 KB. */
export const paymentRequest = (endpoint?: string): string =>
  JSON.stringify({
    flow_name: FLOW,
    amount: 49.9,
    currency: 'EUR',
    country: 'DE',
    customer: CUSTOMER,
    metadata: METADATA,
    ...(endpoint !== undefined && { webhook_endpoint: endpoint }),
  });

export const jsonHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

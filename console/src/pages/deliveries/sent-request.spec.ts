import { describe, expect, it } from '@jest/globals';
import { headersToFillIn, parseHeaders, sentHeaders } from './sent-request';

const attempt = {
  number: 1,
  started_at: '2026-11-21T01:02:03.456Z',
  duration_ms: 5,
  status_code: 200,
  error: null,
  error_message: null,
  response_body: 'ok',
};
const delivery = {
  webhook_id: 'whd_1',
  shop_id: 3,
  endpoint_id: null,
  request_body: '{"name":"Zoë"}',
  attempts: [attempt],
};

describe('sentHeaders', () => {
  it('returns the headers that can be derived from the delivery', () => {
    expect(Object.fromEntries(sentHeaders(delivery).map(({ name, value }) => [name, value]))).toEqual({
      'content-type': 'application/json',
      'content-length': '15',
      'webhook-id': 'whd_1',
      'webhook-shop-id': '3',
      'webhook-timestamp': '1795222923',
      Signature: null,
      'webhook-signature': null,
    });
  });

  it('names the standing endpoint, and the shop only if the event has one', () => {
    const namesOf = (shop: number | null) =>
      sentHeaders({ ...delivery, shop_id: shop, endpoint_id: 7 }).map(({ name, value }) => [name, value]);
    expect(namesOf(null)).toContainEqual(['webhook-endpoint-id', '7']);
    expect(namesOf(null).map(([name]) => name)).not.toContain('webhook-shop-id');
    expect(namesOf(3)).toContainEqual(['webhook-shop-id', '3']);
  });

  it('omits the timestamp before the first attempt', () => {
    const [time] = sentHeaders({ ...delivery, attempts: [] }).filter(({ name }) => name === 'webhook-timestamp');
    expect(time?.value).toBeNull();
  });

  it('parseHeaders reads headers that were copied from a log', () => {
    expect(parseHeaders('Signature: ab:c \r\n\nwebhook-id:whd_1\nwebhook-signature:\nnonsense\n: x')).toEqual({
      Signature: 'ab:c',
      'webhook-id': 'whd_1',
    });
  });

  it('headersToFillIn fills in all headers except the signatures', () => {
    expect(headersToFillIn(sentHeaders(delivery)).split('\n')).toEqual([
      'webhook-id: whd_1',
      'webhook-shop-id: 3',
      'webhook-timestamp: 1795222923',
      'Signature: ',
      'webhook-signature: ',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { renderSampleBody } from './sample-payload.js';

const shop = { id: 3, name: 'Berlin', provider: 'sandbox' };
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

describe('the sample body of the test webhook', () => {
  it('uses ids that no payment, customer or flow can have', () => {
    expect(JSON.parse(renderSampleBody(shop, new Date()))).toMatchObject({
      payment: {
        id: 0,
        flow_id: 0,
        payment_session_id: `ps_${NIL_UUID}`,
        provider_transaction_id: `test_${NIL_UUID}`,
      },
      customer: { id: 0 },
      shop: { id: shop.id, name: shop.name },
    });
  });
});

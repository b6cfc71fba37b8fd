// The objects that a merchant creates once: a shop for each account at a provider, and the flow that orders them.

/** Returns the shops with their webhook secrets. */
export async function createShops(client, { stripe, adyen }) {
  const shops = [
    { name: 'Adyen Europe', provider: 'adyen', provider_account: 'europe', provider_credentials: adyen.credentials },
    { name: 'Stripe Europe', provider: 'stripe', provider_account: 'europe', provider_credentials: stripe.credentials },
  ];
  const answers = [];
  for (const shop of shops) answers.push((await client.post('/shops', { body: shop })).data);
  return answers;
}

/** Adyen first; after a soft decline or an outage Stripe is tried. */
export async function createFlow(client, shops) {
  const inOrder = shops.map(({ id }, index) => ({ shop_id: id, priority: index + 1 }));
  await client.post('/flows', {
    body: { name: 'checkout', strategy: 'priority', max_attempts: 2, shops: inOrder },
  });
}

export interface Snippet {
  title: string;
  text: string;
}

/** Code examples for the API at `origin` and the client with this id. They never contain its secret. */
export const snippets = (origin: string, clientId: string): Snippet[] => [
  {
    title: 'A token, with curl',
    text: `CLIENT_SECRET=…  # printed once, when the client was created
TOKEN=$(curl -s -u "${clientId}:$CLIENT_SECRET" -d grant_type=client_credentials ${origin}/auth/token |
  sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
  },
  {
    title: 'A payment, with curl',
    text: `curl -s ${origin}/payments -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-A-1001' \\
  -d '{"flow_name":"checkout","amount":49.9,"currency":"EUR","payment_method":{"token":"tok_success"}}'`,
  },
  {
    title: 'Live events, with curl',
    text: `curl -sN ${origin}/events -H "Authorization: Bearer $TOKEN" -H 'Accept: text/event-stream'`,
  },
  {
    title: 'A payment and a list, with the client package',
    text: `// npm install ${origin}/packages/client.tgz  (not in the npm registry)
import { createClient } from '@payment-orchestrator/client';

const client = createClient({
  baseUrl: '${origin}',
  credentials: { clientId: '${clientId}', clientSecret: process.env.CLIENT_SECRET },
});

const { data: payment } = await client.post('/payments', {
  body: { flow_name: 'checkout', amount: 49.9, currency: 'EUR', payment_method: { token: 'tok_success' } },
  params: { header: { 'Idempotency-Key': 'order-A-1001' } },
});
console.log(payment.status);

for await (const shop of client.list('/shops')) console.log(shop.id, shop.name);`,
  },
];

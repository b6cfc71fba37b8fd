// The receiver of a trial: verifies webhooks with the secrets that it gets, and shows the received events. Everything is in
// memory. Use it only on this machine, because any caller may set secrets.
//   PUT /secrets/<shop id>   sets the shop's webhook_secret, which is the body
//   POST /webhooks           receives webhooks of the service
//   GET /                    returns the events so far
import { createServer } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { createReceiver, rememberInMemory } from '@payment-orchestrator/receiver';

const secrets = new Map();
const events = [];

const receive = createReceiver({
  secrets: (shopId) => secrets.get(shopId),
  duplicates: rememberInMemory(),
  handle: (event) => {
    events.push(event);
    console.log(JSON.stringify(event));
  },
  onRefused: ({ code, message }) => console.warn(`refused: ${code}: ${message}`),
});

async function answer(request) {
  const [, shopId] = /^\/secrets\/(\d+)$/.exec(request.url) ?? [];
  if (request.method === 'PUT' && shopId) {
    secrets.set(Number(shopId), (await text(request)).trim());
    return { status: 204 };
  }
  if (request.method === 'POST') return receive(await buffer(request), request.headers);
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: `${JSON.stringify(events, null, 2)}\n` };
}

createServer((request, response) => {
  answer(request).then(
    ({ status, headers, body }) => response.writeHead(status, headers).end(body),
    (error) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env.PORT ?? 4000), () => console.log('waiting for webhooks'));

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());

/** Code of a receiver for a standing endpoint at `url`. It reads the secret from the environment and never contains it. */
export const receiverSnippet = (origin: string, url: string): string =>
  `// npm install express ${origin}/packages/receiver.tgz  (not in the npm registry)
import express from 'express';
import { rememberInMemory } from '@payment-orchestrator/receiver';
import { webhooks } from '@payment-orchestrator/receiver/express';

express()
  .post(
    ${JSON.stringify(pathOf(url))},
    webhooks({
      secrets: process.env.WEBHOOK_SECRET,
      duplicates: rememberInMemory(), // several processes need a shared store
      handle: (event) => console.log(event.event, event.payment_id),
    }),
  )
  .listen(4000);
`;

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '/webhooks');

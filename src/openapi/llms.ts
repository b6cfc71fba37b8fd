import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** For language models (llmstxt.org): what the service is, with links that it answers itself. */
const TEXT = `# Payment orchestrator

> Routes payments through named flows to shops (accounts at payment providers), simulates routing changes, and sends a signed webhook at each change of a payment's status.

A flow is a named routing rule whose strategy picks the shop. A merchant is a tenant. Get a token with \`POST /auth/token\` (client credentials), create a shop with \`POST /shops\`, a flow with \`POST /flows\`, and a payment with \`POST /payments\`. Send an \`Idempotency-Key\` with each payment. Webhook attempts are made at 0, 10, 110 and 1110 seconds. The header \`Signature\` is the hexadecimal HMAC-SHA256 of the raw body, keyed with the shop's \`webhook_secret\`.

## API

- [OpenAPI document](/openapi.json): every operation, schema, example and problem code
- [Swagger UI](/docs): the same for people
- [Public keys of access tokens](/.well-known/jwks.json)
- [Health](/health/ready)
`;

/** Serves `/llms.txt`. Call before the application listens. */
export function serveLlmsText(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .get('/llms.txt', (_, reply) => {
      void reply.type('text/plain; charset=utf-8').send(TEXT);
    });
}

import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeBodies } from './bodies.js';
import { VERSION } from '../platform/config/config.js';
import { OUTBOUND_ERRORS } from '../platform/outbound/outbound-result.js';
import { describeCommonAnswers } from './common-answers.js';
import { refineSchemas } from './schemas.js';

/** Swagger UI runs from our own origin; its page carries inline styles, but no inline script. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DOCS_HEADERS = {
  'content-security-policy': DOCS_POLICY,
  // for browsers that do not know frame-ancestors
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const DESCRIPTION = `
Routes payments through named flows, simulates routing without changing state, and tells merchants of every change of a
payment's status by signed webhooks.

**To try it here:** press *Authorize* and give your client id and secret to *oauth2*; tick no scope to get all that your
client holds. The token lasts an hour. \`npm start\` prints the id and secret of a demo client once; \`npm run cli --
client:create\` makes further ones. Then, on a fresh database, execute as they stand: \`POST /shops\`, \`POST /flows\`,
\`POST /payments\`, \`GET /payments/{id}\`, \`GET /webhooks/shop/{shopId}/deliveries\`.

**Answers** are \`{ "success": true, "data": … }\`, lists with \`pagination\`. Errors are \`application/problem+json\`
(RFC 9457) with a permanent \`code\`. Every answer carries \`X-Request-Id\`, every one to a valid token \`RateLimit-*\`; a 429
says in \`Retry-After\` when to try again. Fields that a request does not take are refused, and so is a key that comes twice in
one object. An optional field of a body may be \`null\`: it counts as left out, unless \`null\` is among the types of the field.
`;

const ATTEMPT_ERRORS = `
An attempt without an answer has one of these permanent codes as its \`error\`, and the delivery as its \`last_error\`:
${Object.entries(OUTBOUND_ERRORS)
  .map(([code, meaning]) => `\n- \`${code}\`: ${meaning}`)
  .join('')}
`;

const OAUTH2 = 'Client id and secret; without a scope the token holds all that the client does';

const TAGS: [string, string][] = [
  ['auth', 'Access tokens'],
  ['flows', 'Flows that choose a shop for a payment, and their simulation'],
  ['payments', 'Payments and their changes of status'],
  ['customers', 'Customers of payments'],
  ['shops', 'Shops: where payments go, and whose webhook secret signs'],
  ['webhooks', `Deliveries, statistics, tests and replays.\n${ATTEMPT_ERRORS}`],
  ['insights', 'How payments and deliveries go, and what waits'],
  ['providers', 'What payment providers send us'],
  ['sandbox', 'What the built-in provider holds'],
  ['audit', 'Who changed what, when and from where'],
  ['operations', 'Health and metrics'],
];

/** What features add to the document. */
export interface DocumentParts {
  /** The section of what we send. */
  webhooks: OpenAPIObject['webhooks'];
  /** Schemas that no class describes, by name. */
  schemas: Record<string, object>;
  /** What a token may do: name and meaning. */
  scopes: Record<string, string>;
}

/**
 * Serves the OpenAPI document at `/openapi.json` and Swagger UI at `/docs`. Call before the application listens; the
 * document is built when first asked for.
 */
export function serveOpenApi(app: NestFastifyApplication, parts: DocumentParts): void {
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (document ??= buildOpenApi(app, parts)), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Payment orchestrator API',
    // a token in the browser's storage would outlive the page, and be there for every script of this origin
    swaggerOptions: { persistAuthorization: false, displayRequestDuration: true },
  });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      // `routeOptions` is made anew at every access: asked for only where it matters
      if (request.url.startsWith('/docs') && request.routeOptions.url?.startsWith('/docs')) {
        reply.headers(DOCS_HEADERS);
      }
      done();
    });
}

/** The whole document. The application need not be initialised: its routes are read from the decorators. */
export function buildOpenApi(app: INestApplication, { webhooks, schemas, scopes }: DocumentParts): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payment orchestrator')
    .setDescription(DESCRIPTION.trim())
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addOAuth2({
      type: 'oauth2',
      description: OAUTH2,
      flows: { clientCredentials: { tokenUrl: '/auth/token', scopes } },
    })
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token that you have' },
      'bearer',
    )
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'For `POST /auth/token` alone' }, 'client');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/(Controller|Routes)$/, '')}_${method}`,
  });
  describeBodies(document);
  describeCommonAnswers(document);
  return withWebhooks(refineSchemas(document, schemas), webhooks);
}

/** By reference: of webhooks that stand in their place openapi-generator makes Python that does not compile. */
function withWebhooks(document: OpenAPIObject, webhooks: OpenAPIObject['webhooks'] = {}): OpenAPIObject {
  const references = Object.keys(webhooks).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]);
  const components = { ...document.components, pathItems: webhooks };
  return { ...document, components, webhooks: Object.fromEntries(references) as typeof webhooks };
}

import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeBodies } from './bodies.js';
import { VERSION } from '../platform/config/config.js';
import { OUTBOUND_ERRORS } from '../platform/outbound/outbound-result.js';
import { describeCommonAnswers } from './common-answers.js';
import { describeFields } from './field-descriptions.js';
import { refineSchemas } from './schemas.js';

/** Swagger UI uses only our own origin; its page has inline styles, but no inline scripts. */
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
  // for browsers without support for frame-ancestors
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const DESCRIPTION = `
Routes payments through named flows, simulates routing without changing state, and notifies merchants of every change of
a payment's status by signed webhooks.

**To try it here:** press *Authorize* and enter your client id and secret under *oauth2*; select no scope to get all
scopes of your client. The token is valid for an hour. \`npm start\` prints the id and secret of a demo client once;
\`npm run cli -- client:create\` creates further clients. Then, on a new database, execute these without changes:
\`POST /shops\`, \`POST /flows\`, \`POST /payments\`, \`GET /payments/{id}\`, \`GET /webhooks/shop/{shopId}/deliveries\`.

**Answers** are \`{ "success": true, "data": … }\`, lists with \`pagination\`. Errors are \`application/problem+json\`
(RFC 9457) with a permanent \`code\`. Every answer has \`X-Request-Id\`; every answer to a valid token has \`RateLimit-*\`. A 429
has \`Retry-After\`, the seconds until the next try. Unknown fields of a request are refused, and so are duplicate keys in an
object. An optional field of a body may be \`null\`: it counts as absent, unless \`null\` is one of the field's types.
`;

const ATTEMPT_ERRORS = `
An attempt without an answer has one of these permanent codes in \`error\`, and its delivery in \`last_error\`:
${Object.entries(OUTBOUND_ERRORS)
  .map(([code, meaning]) => `\n- \`${code}\`: ${meaning}`)
  .join('')}
`;

const OAUTH2 = 'Client id and secret; without a scope the token has all scopes of the client';

const TAGS: [string, string][] = [
  ['auth', 'Access tokens'],
  ['flows', 'Flows that choose a shop for a payment, and their simulation'],
  ['payments', 'Payments and their changes of status'],
  ['customers', 'Customers of payments'],
  ['shops', 'Shops: accounts at payment providers, with webhook secrets'],
  ['webhooks', `Deliveries, statistics, tests and replays.\n${ATTEMPT_ERRORS}`],
  ['insights', 'State of payments and deliveries, and pending work'],
  ['providers', 'Notifications from payment providers'],
  ['sandbox', 'Data of the built-in provider'],
  ['audit', 'Log of changes: actor, action, time and origin'],
  ['operations', 'Health and metrics'],
];

/** The parts of the document that features add. */
export interface DocumentParts {
  /** The section of webhooks. */
  webhooks: OpenAPIObject['webhooks'];
  /** Schemas that no class describes, by name. */
  schemas: Record<string, object>;
  /** The scopes of tokens: name and meaning. */
  scopes: Record<string, string>;
}

/**
 * Serves the OpenAPI document at `/openapi.json` and Swagger UI at `/docs`. Call it before the application listens; the
 * document is built at the first request.
 */
export function serveOpenApi(app: NestFastifyApplication, parts: DocumentParts): void {
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (document ??= buildOpenApi(app, parts)), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Payment orchestrator API',
    // a token in the browser's storage would outlive the page, and every script of this origin could read it
    swaggerOptions: { persistAuthorization: false, displayRequestDuration: true },
  });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      // every access to `routeOptions` creates a new object, so it is used only if necessary
      if (request.url.startsWith('/docs') && request.routeOptions.url?.startsWith('/docs')) {
        reply.headers(DOCS_HEADERS);
      }
      done();
    });
}

/** Builds the whole document. The application need not be initialised: its routes are read from the decorators. */
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
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An existing token' }, 'bearer')
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'Only for `POST /auth/token`' }, 'client');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/(Controller|Routes)$/, '')}_${method}`,
  });
  describeBodies(document);
  describeCommonAnswers(document);
  return withWebhooks(describeFields(refineSchemas(document, schemas)), webhooks);
}

/** Uses references: openapi-generator turns inline webhooks into Python that does not compile. */
function withWebhooks(document: OpenAPIObject, webhooks: OpenAPIObject['webhooks'] = {}): OpenAPIObject {
  const references = Object.keys(webhooks).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]);
  const components = { ...document.components, pathItems: webhooks };
  return { ...document, components, webhooks: Object.fromEntries(references) as typeof webhooks };
}

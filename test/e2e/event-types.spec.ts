import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { EVENT_SCHEMAS } from '../../src/webhooks/event-types/event-openapi.js';
import { describedEvent, EVENT_TYPES } from '../../src/webhooks/event-types/event-catalogue.js';
import { temporaryFolder } from '../support/servers/servers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const tsc = join(root, 'node_modules/typescript-native/bin/tsc');

const OF_CLASSES = {
  PaymentStatus: { type: 'string', enum: ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'] },
  ShopReference: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  },
};

const PUSHED = EVENT_TYPES.filter((type) => describedEvent(type).dataSchema !== null);

const webhookSchemaOf = (type: string): string =>
  Object.keys(EVENT_SCHEMAS).find((name) => JSON.stringify(EVENT_SCHEMAS[name]).includes(`"const":"${type}"`))!;

/** A program that compiles only if the types of receiver and client are the same as the types of these schemas. */
const comparison = (): string => `
import type * as Receiver from '${join(root, 'packages/receiver/dist/index.js')}';
import type * as Client from '${join(root, 'packages/client/dist/index.js')}';
import type { components } from './schemas.js';
type Schemas = components['schemas'];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
export const received: Record<keyof Receiver.EventData, true> = { ${PUSHED.map((type) => `'${type}': true`).join(', ')} };
export const typed: Record<Client.TypedEvent['type'], true> = { ${EVENT_TYPES.map((type) => `'${type}': true`).join(', ')} };
${PUSHED.map(
  (type, index) => `
export const data${index}: Same<Receiver.EventData['${type}'], Schemas['${describedEvent(type).dataSchema}']> = true;
export const body${index}: Same<Omit<Receiver.EventOf<'${type}'>, 'test'>, Omit<Schemas['${webhookSchemaOf(type)}'], 'test'>> = true;
export const clientData${index}: Same<Client.EventOf<'${type}'>['data'], Schemas['${describedEvent(type).dataSchema}']> = true;
export const clientBody${index}: Same<Client.WebhookOf<'${type}'>, Schemas['${webhookSchemaOf(type)}']> = true;`,
).join('')}
export const statusChange = (
  event: Omit<Schemas['WebhookEvent'], 'test'>,
): Omit<Receiver.PaymentStatusChanged, 'test'> => event;
export const status: Same<Client.WebhookOf<'payment.status_changed'>, Schemas['WebhookEvent']> = true;
export const amountOf = (event: Client.TypedEvent): number => (event.type === 'refund.created' ? event.data.amount : 0);
`;

/** The errors of the compiler; empty: none. */
async function differences(schemas: Record<string, unknown>): Promise<string> {
  const info = { title: 'events', version: '1' };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas: { ...OF_CLASSES, ...schemas } } };
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'schemas.ts'), astToString(await openapiTS(document as unknown as OpenAPI3)));
  writeFileSync(join(folder, 'comparison.ts'), comparison());
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const options = [
    '--noEmit',
    '--pretty',
    'false',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ];
  return run(process.execPath, [tsc, ...options, join(folder, 'comparison.ts')], { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

describe('the types of events in the packages of receiver and client', () => {
  it('equal those of the catalogue, and the client narrows them by `type`', async () => {
    expect(await differences(EVENT_SCHEMAS)).toBe('');
  });

  it('differ from a catalogue with an additional field, or a field of another type', async () => {
    const changes = { ShopUp: { note: { type: 'string' } }, ShopDown: { shop_name: { type: 'integer' } } };
    const changed = Object.entries(changes).map(([name, fields]) => {
      const schema = EVENT_SCHEMAS[name] as { properties: object };
      const properties = { ...schema.properties, ...fields };
      return [name, { ...schema, properties, required: Object.keys(properties) }] as const;
    });
    const found = await differences({ ...EVENT_SCHEMAS, ...Object.fromEntries(changed) });
    // data and body, for receiver and client
    expect(found.match(/error TS2322/g)).toHaveLength(8);
  });

  it('narrow by `event` in a strict program of a receiver', async () => {
    await run(process.execPath, [tsc, '-p', 'test/typed-receiver'], { cwd: root });
  });
});

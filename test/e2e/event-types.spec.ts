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

/** A program that compiles only if the receiver's types are the same as the types of these schemas. */
const comparison = (): string => `
import type { EventData, EventOf, PaymentStatusChanged } from '${join(root, 'packages/receiver/dist/index.js')}';
import type { components } from './schemas.js';
type Schemas = components['schemas'];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
export const names: Record<keyof EventData, true> = { ${PUSHED.map((type) => `'${type}': true`).join(', ')} };
${PUSHED.map(
  (type, index) => `
export const data${index}: Same<EventData['${type}'], Schemas['${describedEvent(type).dataSchema}']> = true;
export const body${index}: Same<Omit<EventOf<'${type}'>, 'test'>, Omit<Schemas['${webhookSchemaOf(type)}'], 'test'>> = true;`,
).join('')}
export const statusChange = (event: Omit<Schemas['WebhookEvent'], 'test'>): Omit<PaymentStatusChanged, 'test'> => event;
`;

/** A program that compiles only if the client's types are the same as the types of the catalogue, and are narrowed. */
const clientProgram = (): string => `
import { type EventOf, type TypedEvent, type WebhookOf } from '${join(root, 'packages/client/dist/index.js')}';
import type { components } from './schemas.js';
type Schemas = components['schemas'];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
export const names: Record<TypedEvent['type'], true> = { ${EVENT_TYPES.map((type) => `'${type}': true`).join(', ')} };
${PUSHED.map(
  (type, index) => `
export const data${index}: Same<EventOf<'${type}'>['data'], Schemas['${describedEvent(type).dataSchema}']> = true;
export const body${index}: Same<WebhookOf<'${type}'>, Schemas['${webhookSchemaOf(type)}']> = true;`,
).join('')}
export const status: Same<WebhookOf<'payment.status_changed'>, Schemas['WebhookEvent']> = true;
export const amountOf = (event: TypedEvent): number => (event.type === 'refund.created' ? event.data.amount : 0);
`;

/** The errors of the compiler; empty: none. */
async function differences(schemas: Record<string, unknown>, program = comparison()): Promise<string> {
  const info = { title: 'events', version: '1' };
  const document = { openapi: '3.1.0', info, paths: {}, components: { schemas: { ...OF_CLASSES, ...schemas } } };
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'schemas.ts'), astToString(await openapiTS(document as unknown as OpenAPI3)));
  writeFileSync(join(folder, 'comparison.ts'), program);
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

describe('the types of events in the package of the receiver', () => {
  it('equal those of the catalogue', async () => {
    expect(await differences(EVENT_SCHEMAS)).toBe('');
  });

  it.each([
    ['an additional field', { note: { type: 'string' } }],
    ['a field of another type', { shop_name: { type: 'integer' } }],
  ])('differ from a catalogue with %s', async (_, changed) => {
    const shopUp = EVENT_SCHEMAS['ShopUp'] as { properties: object; required: string[] };
    const properties = { ...shopUp.properties, ...changed };
    const ShopUp = { ...shopUp, properties, required: Object.keys(properties) };
    expect(await differences({ ...EVENT_SCHEMAS, ShopUp })).toMatch(/error TS2322/);
  });

  it('narrow by `event` in a strict program', async () => {
    await run(process.execPath, [tsc, '-p', 'test/typed-receiver'], { cwd: root });
  });
});

describe('the types of events in the package of the client', () => {
  it('equal those of the catalogue, and narrow by `type`', async () => {
    expect(await differences(EVENT_SCHEMAS, clientProgram())).toBe('');
  });
});

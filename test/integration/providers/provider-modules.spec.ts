import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { systemContext } from '@payment-orchestrator/provider-kit/testing';
import type { PaymentProvider } from '@payment-orchestrator/provider-kit';
import { withProviderModules } from '../../../src/providers/provider-modules.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const METHODS = ['capabilities', 'validateCredentials', 'checkCredentials', 'charge', 'void', 'refund'];
const WHOLE = `portVersion: 2, name: 'acme', accountsAreShared: false, credentialFields: [],
  ${[...METHODS, 'parseNotification'].map((method) => `${method}() {}`).join(', ')}`;
const returning = (fields: string) => `export default () => ({ ${fields} });`;
const BUILT_IN = [{ name: 'sandbox' }, { name: 'stripe' }] as PaymentProvider[];

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(join(folder, 'providers'));
});

let written = 0;
function moduleOf(text: string): string {
  const path = join(folder, 'providers', `x${++written}.mjs`);
  writeFileSync(path, text);
  return path;
}

const load = (...modules: string[]) =>
  withProviderModules(BUILT_IN, modules, systemContext({ ACME_BASE: 'x' }).context);

describe('PROVIDER_MODULES', () => {
  it('adds the providers of modules to the built-in ones, in order', async () => {
    const other = `export default async () => ({ ${WHOLE.replace('acme', 'other')} });`;
    const providers = await load(moduleOf(returning(WHOLE)), moduleOf(other));
    expect(providers.map(({ name }) => name)).toEqual(['sandbox', 'stripe', 'acme', 'other']);
  });

  it('reads a path from the working directory', async () => {
    const path = relative(process.cwd(), moduleOf(returning(WHOLE)));
    expect((await load(path.startsWith('.') ? path : `./${path}`)).at(-1)).toMatchObject({ name: 'acme' });
  });

  it('gives a module the client, the clock, randomness and the settings', async () => {
    const provider = moduleOf(`export default (context) => ({ ${WHOLE}, context });`);
    expect((await load(provider)).at(-1)).toMatchObject({
      context: {
        http: { call: expect.any(Function) },
        accessTokens: { call: expect.any(Function) },
        clock: { now: expect.any(Function) },
        random: { uuid: expect.any(Function), bytes: expect.any(Function) },
        settings: { ACME_BASE: 'x' },
      },
    });
  });

  it.each([
    ['export default 1 +', 'which does not load (', 'takes a module that can be imported'],
    [`import '@acme/none';`, 'which does not load (', 'takes a module that can be imported'],
    ['export const x = 1;', 'whose default export is absent', 'takes a module whose default export is a function'],
    ['export default {};', 'whose default export is object', 'takes a module whose default export is a function'],
    [`export default () => { throw new Error('no\\nkey'); };`, 'threw an error (no key)', 'returns a PaymentProvider'],
    ['export default () => null;', 'whose default export returned null', 'returns a PaymentProvider'],
    [returning(`name: 'acme'`), 'made for version undefined of the port', 'takes portVersion 2'],
    [returning(WHOLE.replace('portVersion: 2', 'portVersion: 3')), 'version 3 of the port', 'takes portVersion 2'],
    [
      returning(WHOLE.replace('portVersion: 2', 'portVersion: 1')),
      'made for version 1 of the port',
      'takes portVersion 2 (2: connectors declare capturesLater, voidsUnfinished',
    ],
    [returning(WHOLE.replace('acme', 'Acme Pay')), `with the name 'Acme Pay'`, 'takes a name that matches /^[a-z]'],
    [
      returning(WHOLE.replace('acme', 'stripe')),
      `with the name 'stripe' of another`,
      'takes a name other than sandbox',
    ],
    [returning(`portVersion: 2, name: 'acme'`), 'whose provider lacks capabilities()', 'takes a whole PaymentProvider'],
    [returning(`${WHOLE}, lookup: true`), 'whose provider lacks lookup()', 'takes a whole PaymentProvider'],
    [
      returning(WHOLE.replace('[]', `[{ name: 'key' }]`)),
      'credentialFields: CredentialField[]',
      'a whole PaymentProvider',
    ],
  ])('refuses the module %j in one line', async (text, got, takes) => {
    const path = moduleOf(text);
    const error = (await load(path).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'ConfigError', setting: 'PROVIDER_MODULES' });
    expect(error.message.split('\n')).toHaveLength(1);
    expect(error.message).toContain(`PROVIDER_MODULES: got '${path.slice(0, 20)}`);
    expect(error.message).toContain(got);
    expect(error.message).toContain(takes);
  });

  it('refuses two modules with one name', async () => {
    const twice = [moduleOf(returning(WHOLE)), moduleOf(returning(WHOLE))];
    await expect(load(...twice)).rejects.toThrow(`with the name 'acme' of another provider, takes a name other than`);
  });
});

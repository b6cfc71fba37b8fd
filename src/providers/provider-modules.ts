import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  AccessTokenCache,
  type ConnectorContext,
  HttpApiClient,
  type PaymentProvider,
  PORT_CHANGES,
  PORT_VERSION,
  type ProviderFactory,
} from '@payment-orchestrator/provider-kit';
import { ConfigError } from '../platform/config/config-error.js';
import { parseSignedJson } from '../platform/http/body/json-body.js';
import { SystemClock } from '../shared/clock.js';
import { SystemRandom } from '../shared/random.js';

const NAME = /^[a-z][a-z0-9_]{0,31}$/;

type Method = {
  [Key in keyof PaymentProvider]-?: NonNullable<PaymentProvider[Key]> extends (...given: never[]) => unknown
    ? Key
    : never;
}[keyof PaymentProvider];

/** `false`: it may be absent. */
const METHODS: Readonly<Record<Method, boolean>> = {
  capabilities: true,
  validateCredentials: true,
  paymentMethodErrors: false,
  checkCredentials: true,
  accountId: false,
  charge: true,
  completeAction: false,
  detach: false,
  lookup: false,
  findReference: false,
  listCharges: false,
  void: true,
  capture: false,
  lookupOperation: false,
  refund: true,
  parseNotification: true,
  start: false,
  stop: false,
};

/**
 * The built-in providers, and those of the modules in `PROVIDER_MODULES`. Throws a `ConfigError` that names the first
 * module that cannot be used.
 */
export async function withProviderModules(
  builtIn: readonly PaymentProvider[],
  modules: readonly string[],
  context: ConnectorContext,
): Promise<PaymentProvider[]> {
  const providers = [...builtIn];
  for (const module of modules) {
    const provider = await load(module, context);
    check(module, provider, providers);
    providers.push(provider);
  }
  return providers;
}

const BUILT_IN = ['sandbox', 'stripe', 'adyen', 'checkout', 'mollie', 'paypal'] as const satisfies readonly string[];

/**
 * The names of all providers, found before the database is opened. Throws like `withProviderModules`. The applications
 * load providers of their own.
 */
export async function providerNames(
  modules: readonly string[],
  settings: ConnectorContext['settings'],
): Promise<string[]> {
  if (modules.length === 0) return [...BUILT_IN];
  const http = new HttpApiClient();
  try {
    const clock = new SystemClock();
    const context: ConnectorContext = {
      ...{ http, settings, parseJson: parseSignedJson },
      ...{ clock, accessTokens: new AccessTokenCache(clock), random: new SystemRandom() },
    };
    const builtIn = BUILT_IN.map((name) => ({ name }) as PaymentProvider);
    return (await withProviderModules(builtIn, modules, context)).map(({ name }) => name);
  } finally {
    await http.close();
  }
}

const unusable = (module: string, fault: string, takes: string): ConfigError =>
  new ConfigError('PROVIDER_MODULES', `'${module}', ${fault}`, takes);

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** A path is relative to the working directory; a package is searched for from the service's own folder. */
const locationOf = (module: string): string => (/^[./]/.test(module) ? pathToFileURL(resolve(module)).href : module);

async function load(module: string, context: ConnectorContext): Promise<PaymentProvider> {
  const loaded = await (import(locationOf(module)) as Promise<{ default?: unknown }>).catch((thrown: unknown) => {
    throw unusable(module, `which does not load (${reasonOf(thrown)})`, 'a module that can be imported');
  });
  const factory = loaded.default;
  if (typeof factory !== 'function')
    throw unusable(
      module,
      `whose default export is ${factory === undefined ? 'absent' : typeof factory}`,
      TAKES_FACTORY,
    );
  try {
    return await (factory as ProviderFactory)(context);
  } catch (thrown) {
    throw unusable(module, `whose default export threw an error (${reasonOf(thrown)})`, TAKES_FACTORY);
  }
}

const TAKES_FACTORY = 'a module whose default export is a function that returns a PaymentProvider';

function check(module: string, provider: PaymentProvider, others: readonly PaymentProvider[]): void {
  if (typeof provider !== 'object' || provider === null)
    throw unusable(module, `whose default export returned ${String(provider)}`, TAKES_FACTORY);
  const { portVersion, name } = provider;
  if (portVersion !== PORT_VERSION)
    throw unusable(
      module,
      `made for version ${String(portVersion)} of the port`,
      `portVersion ${PORT_VERSION}${changesSince(portVersion)}`,
    );
  if (typeof name !== 'string' || !NAME.test(name))
    throw unusable(module, `with the name '${String(name)}'`, `a name that matches ${String(NAME)}`);
  const names = others.map((other) => other.name);
  if (names.includes(name))
    throw unusable(module, `with the name '${name}' of another provider`, `a name other than ${names.join(', ')}`);
  const faults = faultsOf(provider);
  if (faults.length > 0) throw unusable(module, `whose provider lacks ${faults.join(', ')}`, 'a whole PaymentProvider');
}

/** The changes for connectors of the versions after the module's. */
function changesSince(version: unknown): string {
  const later = Object.entries(PORT_CHANGES).filter(([each]) => typeof version === 'number' && Number(each) > version);
  return later.map(([each, change]) => ` (${each}: ${change})`).join('');
}

/** Members that the provider lacks, or has in another type. */
function faultsOf(provider: PaymentProvider): string[] {
  const methods = (Object.keys(METHODS) as Method[]).filter((method) => {
    const kind = typeof provider[method];
    return kind !== 'function' && (METHODS[method] || kind !== 'undefined');
  });
  return [
    ...methods.map((method) => `${method}()`),
    ...(typeof provider.accountsAreShared === 'boolean' ? [] : ['accountsAreShared: boolean']),
    ...(isFields(provider.credentialFields) ? [] : ['credentialFields: CredentialField[]']),
  ];
}

const isFields = (fields: unknown): boolean =>
  Array.isArray(fields) &&
  fields.every((field: Partial<PaymentProvider['credentialFields'][number]> | null) => {
    const { name, takes, required, isSecret, usedFor } = field ?? {};
    const isTyped = [typeof name, typeof takes, typeof required, typeof isSecret].join();
    return isTyped === 'string,string,boolean,boolean' && (usedFor === 'calls' || usedFor === 'notifications');
  });

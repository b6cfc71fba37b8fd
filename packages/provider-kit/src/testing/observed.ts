import type { PaymentProvider } from '../payment-provider.js';
import { checkedProvider } from '../schemas/checked.js';
import { Finding, shown } from './finding.js';
import type { ProviderFixture } from './fixture.js';

/** A text in played answers of the provider, as if it were a payer's: no answer of the connector may repeat it. */
export const PAYERS_TEXT = 'jane.doe@payer.example';

/** A fixture whose calls are observed, and the faults that were seen in any of them. */
export interface Observed {
  fixture: ProviderFixture;
  /** Faults since the last call. */
  take(): Finding[];
  stop(): void;
}

type Output = 'log' | 'info' | 'warn' | 'error' | 'debug';
const OUTPUTS: readonly Output[] = ['log', 'info', 'warn', 'error', 'debug'];

/**
 * The fixture with the provider as the service uses it: a malformed answer rejects. In every call the arguments are frozen, and
 * no answer, error or line on the console may have a secret. The service keeps no text of an error.
 */
export function observed(fixture: ProviderFixture): Observed {
  const seen: Finding[] = [];
  const all = [fixture.credentials, fixture.secondAccount?.credentials ?? {}, fixture.revoked ?? {}];
  const secrets = fixture.provider.credentialFields
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ name }) => all.map((credentials) => credentials[name]))
    .filter((value): value is string => typeof value === 'string' && value.length > 7);
  const lookForSecrets = (where: string, text: string) => {
    if (secrets.some((secret) => text.includes(secret)))
      seen.push(new Finding(where, 'no secret of the credentials in it', 'one', 'the-module'));
  };
  const look = (where: string, text: string) => {
    lookForSecrets(where, text);
    if (text.includes(PAYERS_TEXT))
      seen.push(
        new Finding(where, 'no text of the provider about a payer in it', text.slice(0, 300), 'outcomes-and-errors'),
      );
  };
  const watch = (provider: PaymentProvider): PaymentProvider =>
    watched(checkedProvider(provider), { look, lookForSecrets }, seen);
  const provider = watch(fixture.provider);
  const unhandled = (reason: unknown) => {
    seen.push(
      new Finding(
        'a promise that nothing waits for',
        'it does not reject: that ends the process',
        shown(reason),
        'the-module',
      ),
    );
  };
  process.on('unhandledRejection', unhandled);
  const kept = OUTPUTS.map((name) => [name, console[name]] as const);
  for (const [name, write] of kept) {
    console[name] = (...given: unknown[]) => {
      look(`a line on the console (console.${name})`, given.map(textOf).join(' '));
      write.apply(console, given);
    };
  }
  const proxy = new Proxy(fixture, {
    get(target, name) {
      if (name === 'provider') return provider;
      if (name === 'another' && target.another) return async () => watch(await target.another!());
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const stop = () => {
    process.off('unhandledRejection', unhandled);
    for (const [name, write] of kept) console[name] = write;
  };
  return { fixture: proxy, take: () => seen.splice(0), stop };
}

/** Calls with frozen arguments, whose answers and errors are looked at. */
function watched(
  provider: PaymentProvider,
  { look, lookForSecrets }: Record<'look' | 'lookForSecrets', (where: string, text: string) => void>,
  seen: Finding[],
): PaymentProvider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...given: unknown[]): unknown => {
        given.forEach(freeze);
        const ended = (value: unknown) => look(`the answer of ${name}`, textOf(value));
        const failed = (thrown: unknown) => {
          lookForSecrets(`the error of ${name}`, textOf(thrown));
          const isOfFrozen =
            thrown instanceof TypeError && /read only|not extensible|Cannot (delete|assign)/.test(thrown.message);
          if (isOfFrozen) seen.push(new Finding(name, 'it changes no argument', thrown.message, 'the-module'));
        };
        const answer = Reflect.apply(member, target, given) as unknown;
        if (!(answer instanceof Promise)) return answer;
        answer.then(ended, failed);
        return answer;
      };
    },
  });
}

/** Plain objects and lists; dates, bytes and signals stay. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return;
  Object.values(value).forEach(freeze);
  Object.freeze(value);
}

/** The texts in a value, with an error's message, its fields and its causes. */
function textOf(value: unknown): string {
  if (value instanceof Error)
    return [value.message, JSON.stringify(value), value.cause && textOf(value.cause)].join(' ');
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

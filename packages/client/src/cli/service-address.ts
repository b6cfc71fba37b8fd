import { CommandError } from './terminal.js';
import type { Credentials, ServiceAddress } from './service-requests.js';

/** The options that name a service, of every command that calls one. */
export interface ServiceOptions {
  url?: string;
  token?: string;
  clientId?: string;
  clientSecret?: string;
}

type Environment = Record<string, string | undefined>;

const DEFAULT_PORT = '3000';

/**
 * The service that a command calls. The environment has its settings under a prefix, such as `LISTEN` for `LISTEN_URL`.
 * `purpose` ends the error about missing credentials. Throws a `CommandError` that names the option.
 */
export function serviceAddress(
  options: ServiceOptions,
  environment: Environment,
  { prefix, purpose }: { prefix: string; purpose: string },
): ServiceAddress {
  const local = `http://127.0.0.1:${environment['PORT'] || DEFAULT_PORT}`;
  const url = parseUrl('--url', options.url ?? (environment[`${prefix}_URL`] || local)).href.replace(/\/$/, '');
  const credentials = credentialsOf(options, environment, prefix);
  if (credentials) return { url, credentials };
  throw new CommandError(
    `${prefix.toLowerCase()}: takes a client (${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET, or --client-id and ` +
      `--client-secret) or a token (${prefix}_TOKEN, or --token) that ${purpose}`,
  );
}

/** Options win over the environment; the bootstrap client of a service on this machine comes last. */
function credentialsOf(options: ServiceOptions, environment: Environment, prefix: string): Credentials | undefined {
  const fromClient = (id?: string, secret?: string) =>
    id && secret ? { clientId: id, clientSecret: secret } : undefined;
  const fromToken = (token?: string) => (token ? { token } : undefined);
  return (
    fromToken(options.token) ??
    fromClient(options.clientId, options.clientSecret ?? environment[`${prefix}_CLIENT_SECRET`]) ??
    fromToken(environment[`${prefix}_TOKEN`]) ??
    fromClient(environment[`${prefix}_CLIENT_ID`], environment[`${prefix}_CLIENT_SECRET`]) ??
    fromClient(environment['BOOTSTRAP_CLIENT_ID'], environment['BOOTSTRAP_CLIENT_SECRET'])
  );
}

export function parseUrl(option: string, text: string): URL {
  try {
    if (/^https?:/.test(text)) return new URL(text);
  } catch {
    // the same error as for another scheme
  }
  throw new CommandError(`${option}: got '${text}', takes an absolute http or https URL`);
}

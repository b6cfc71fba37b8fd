import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { releaseSignals } from '../../bootstrap/early-signals.js';
import { webhookSecretError } from '../../shops/webhook-secrets.js';
import { CommandError, type Terminal } from '../terminal.js';
import type { ListenSettings } from './listen.js';
import type { Credentials } from './service-client.js';
import { parsedUrl } from '../../shared/parsed-url.js';

interface ListenOptions {
  forwardTo?: string;
  shop?: string;
  print: 'text' | 'json';
  replayLast: string;
  url?: string;
  token?: string;
  clientId?: string;
  clientSecret?: string;
  secret?: string;
}

type Environment = Record<string, string | undefined>;

const DEFAULT_PORT = '3000';
const MAX_REPLAYED = 100;

/** Secrets should be set in the environment or `.env`: any user can see the arguments of a process. */
export function addListenCommand(program: Command, terminal: Terminal): void {
  program
    .command('listen')
    .description('show the events of a running service, here or elsewhere, and post its webhooks to your machine')
    .option('--forward-to <url>', 'where to post each webhook, signed with a secret of this session')
    .option('--shop <id>', 'only events of this shop')
    .addOption(new Option('--print <format>', 'how to show events').choices(['text', 'json']).default('text'))
    .option('--replay-last <count>', `begin with this many of the latest events, at most ${MAX_REPLAYED}`, '0')
    .option('--url <url>', 'the service; also LISTEN_URL; default: the one on this machine')
    .option('--token <token>', 'an access token with the scope webhooks:read; also LISTEN_TOKEN')
    .option('--client-id <id>', 'a client that gets a token; also LISTEN_CLIENT_ID')
    .option('--client-secret <secret>', 'the secret of the client; also LISTEN_CLIENT_SECRET')
    .option('--secret <secret>', 'the webhook secret to sign with; default: a new one each time')
    .action(async (options: ListenOptions) => {
      const settings = listenSettings(options, terminal.environment());
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      process.on('SIGINT', stop).on('SIGTERM', stop);
      releaseSignals();
      try {
        // loaded on demand: the other commands do not need it
        const { listen } = await import('./listen.js');
        await listen(settings, terminal, controller.signal);
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop);
      }
    });
}

/** Throws a `CommandError` that names the option. */
export function listenSettings(options: ListenOptions, environment: Environment): ListenSettings {
  const { forwardTo, shop, print, replayLast } = options;
  const secret =
    options.secret === undefined
      ? `whsec_${randomBytes(24).toString('base64')}`
      : parseSecret('--secret', options.secret);
  return {
    service: { url: serviceUrl(options, environment), credentials: credentialsOf(options, environment) },
    target: forwardTo === undefined ? undefined : { url: parseUrl('--forward-to', forwardTo).href, secret },
    shopId: shop === undefined ? undefined : parseCount('--shop', shop, 1, Number.MAX_SAFE_INTEGER),
    print,
    replayLast: parseCount('--replay-last', replayLast, 0, MAX_REPLAYED),
  };
}

function serviceUrl({ url }: ListenOptions, environment: Environment): string {
  const local = `http://127.0.0.1:${environment['PORT'] || DEFAULT_PORT}`;
  return parseUrl('--url', url ?? (environment['LISTEN_URL'] || local)).href.replace(/\/$/, '');
}

/** Options win over the environment; the bootstrap client of a service on this machine comes last. */
function credentialsOf(options: ListenOptions, environment: Environment): Credentials {
  const fromClient = (id?: string, secret?: string) =>
    id && secret ? { clientId: id, clientSecret: secret } : undefined;
  const fromToken = (token?: string) => (token ? { token } : undefined);
  const credentials =
    fromToken(options.token) ??
    fromClient(options.clientId, options.clientSecret ?? environment['LISTEN_CLIENT_SECRET']) ??
    fromToken(environment['LISTEN_TOKEN']) ??
    fromClient(environment['LISTEN_CLIENT_ID'], environment['LISTEN_CLIENT_SECRET']) ??
    fromClient(environment['BOOTSTRAP_CLIENT_ID'], environment['BOOTSTRAP_CLIENT_SECRET']);
  if (credentials) return credentials;
  throw new CommandError(
    'listen: takes a client (LISTEN_CLIENT_ID and LISTEN_CLIENT_SECRET, or --client-id and --client-secret) or a token ' +
      '(LISTEN_TOKEN, or --token) that may read webhooks',
  );
}

function parseUrl(option: string, text: string): URL {
  const url = parsedUrl(text);
  if (url && /^https?:/.test(text)) return url;
  throw new CommandError(`${option}: got '${text}', takes an absolute http or https URL`);
}

/**
 * Only valid secrets of shops are accepted, because a receiver refuses signatures of any other. The error does not show
 * the secret.
 */
function parseSecret(option: string, text: string): string {
  const error = webhookSecretError(text);
  if (error === undefined) return text;
  const missing = ['=', '=='].find((end) => webhookSecretError(text + end) === undefined);
  const isCut = missing !== undefined && text.startsWith('whsec_');
  throw new CommandError(`${option}: ${error}${isCut ? `; ${missing} is missing at its end` : ''}`);
}

function parseCount(option: string, text: string, min: number, max: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= min && count <= max) return count;
  throw new CommandError(`${option}: got '${text}', takes a whole number from ${min} to ${max}`);
}

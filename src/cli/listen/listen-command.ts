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
const MOST_REPLAYED = 100;

/** Secrets are better given by the environment, or `.env`: the arguments of a process are there for all to see. */
export function addListenCommand(program: Command, terminal: Terminal): void {
  program
    .command('listen')
    .description('show what happens at a running service, here or elsewhere, and post its webhooks to your machine')
    .option('--forward-to <url>', 'where to post each webhook, signed with a secret of this session')
    .option('--shop <id>', 'only what is about this shop')
    .addOption(new Option('--print <format>', 'how to show events').choices(['text', 'json']).default('text'))
    .option('--replay-last <count>', `begin with the latest so many events, ${MOST_REPLAYED} at most`, '0')
    .option('--url <url>', 'the service; also LISTEN_URL; else the one on this machine')
    .option('--token <token>', 'an access token with the scope webhooks:read; also LISTEN_TOKEN')
    .option('--client-id <id>', 'or a client that gets one; also LISTEN_CLIENT_ID')
    .option('--client-secret <secret>', 'its secret; also LISTEN_CLIENT_SECRET')
    .option('--secret <secret>', 'the webhook secret to sign with; else a new one each time')
    .action(async (options: ListenOptions) => {
      const settings = listenSettings(options, terminal.environment());
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      process.on('SIGINT', stop).on('SIGTERM', stop);
      releaseSignals();
      try {
        // loaded when asked for: the other commands do without
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
    replayLast: parseCount('--replay-last', replayLast, 0, MOST_REPLAYED),
  };
}

function serviceUrl({ url }: ListenOptions, environment: Environment): string {
  const local = `http://127.0.0.1:${environment['PORT'] || DEFAULT_PORT}`;
  return parseUrl('--url', url ?? (environment['LISTEN_URL'] || local)).href.replace(/\/$/, '');
}

/** What is given as an option goes before what lies in the environment; the first client of a service on this machine last. */
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

/** What a shop's secret may be: a receiver refuses what is signed with anything else. The error does not show it. */
function parseSecret(option: string, text: string): string {
  const error = webhookSecretError(text);
  if (error === undefined) return text;
  const lacks = ['=', '=='].find((end) => webhookSecretError(text + end) === undefined);
  const isCut = lacks !== undefined && text.startsWith('whsec_');
  throw new CommandError(`${option}: ${error}${isCut ? `; ${lacks} is missing at its end` : ''}`);
}

function parseCount(option: string, text: string, least: number, most: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new CommandError(`${option}: got '${text}', takes a whole number from ${least} to ${most}`);
}

import { randomBytes } from 'node:crypto';
import { type Command, Option } from 'commander';
import { webhookSecretError } from '@payment-orchestrator/receiver/signing';
import { CommandError, type Terminal } from '../terminal.js';
import type { ListenSettings } from './listen.js';
import { parseUrl, serviceAddress, type ServiceOptions } from '../service-address.js';

interface ListenOptions extends ServiceOptions {
  forwardTo?: string;
  shop?: string;
  types?: string;
  print: 'text' | 'json';
  replayLast: string;
  secret?: string;
}

type Environment = Record<string, string | undefined>;

const MAX_REPLAYED = 100;

/** Secrets should be set in the environment or `.env`: any user can see the arguments of a process. */
export function describeListen(command: Command, terminal: Terminal): Command {
  return command
    .description('show the events of a running service, here or elsewhere, and post its webhooks to your machine')
    .option('--forward-to <url>', 'where to post each webhook, signed with a secret of this session')
    .option('--shop <id>', 'only events of this shop')
    .option(
      '--types <types>',
      'only these types of events, separated by commas, each posted; default: all, status changes posted',
    )
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
      terminal.releaseSignals?.();
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
  const { forwardTo, shop, types, print, replayLast } = options;
  const secret =
    options.secret === undefined
      ? `whsec_${randomBytes(24).toString('base64')}`
      : parseSecret('--secret', options.secret);
  return {
    service: serviceAddress(options, environment, { prefix: 'LISTEN', purpose: 'may read webhooks' }),
    target: forwardTo === undefined ? undefined : { url: parseUrl('--forward-to', forwardTo).href, secret },
    shopId: shop === undefined ? undefined : parseCount('--shop', shop, 1, Number.MAX_SAFE_INTEGER),
    types,
    print,
    replayLast: parseCount('--replay-last', replayLast, 0, MAX_REPLAYED),
  };
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

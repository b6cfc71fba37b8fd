import type { Command } from 'commander';
import { MerchantsService } from '../auth/merchants.service.js';
import { administer } from './administration.js';
import {
  parseName,
  parseMerchantId,
  parseOverlap,
  parseRights,
  answer,
  JSON_OPTION,
  type Terminal,
  table,
  CommandError,
} from './terminal.js';
import { COMMAND_LINE } from '../audit/audit-context.js';
import { ApiClientsService, type IssuedCredentials, type NewApiClient } from '../auth/api-clients.service.js';
import { Database } from '../platform/database/database.js';
import type { INestApplicationContext } from '@nestjs/common';
import { MAX_OVERLAP_SECONDS } from '../shared/clock.js';
import { ROLE_NAMES, roleOf, scopesIn, scopesOf } from '../access/roles.js';

export function addMerchantCommands(program: Command, terminal: Terminal): void {
  program
    .command('merchant:create')
    .description('create a merchant')
    .requiredOption('--name <name>', 'the name of the merchant')
    .option(...JSON_OPTION)
    .action(async (options: { name: string }, command: Command) => {
      const name = parseName('--name', options.name);
      const create = async (context: INestApplicationContext) => {
        const { id } = await context.get(MerchantsService).create(name);
        answer(terminal, command, { id, name }, [`merchant ${id} created`]);
      };
      await administer(terminal, create, { mayCreate: true });
    });
}

export function addClientCommands(program: Command, terminal: Terminal): void {
  addCreate(program, terminal);
  addList(program, terminal);
  addRevoke(program, terminal);
  addRotateSecret(program, terminal);
}

function addCreate(program: Command, terminal: Terminal): void {
  program
    .command('client:create')
    .description('create an API client; its secret is shown only once')
    .requiredOption('--merchant <id or name>', 'an existing merchant by its id, or a new one by its name')
    .requiredOption('--name <name>', 'the name of the client')
    .option('--role <role>', `its role: ${ROLE_NAMES.join(', ')}`)
    .option('--scopes <list>', 'its scopes instead of a role: all, or names separated by commas')
    .option('--person', 'a person uses it, to sign in to the console')
    .option(...JSON_OPTION)
    .action(async (options: GivenOptions, command: Command) => {
      const merchant = parseMerchantId(options.merchant) ?? parseName('--merchant', options.merchant);
      const [name, rights] = [parseName('--name', options.name), parseRights(options)];
      const client = { merchant, name, rights, kind: options.person ? 'person' : 'program' } as const;
      const create = async (context: INestApplicationContext) => {
        const { clientId, clientSecret, merchantId } = await createClient(context, client);
        const scopes = scopesIn(rights);
        const credentials = { client_id: clientId, client_secret: clientSecret };
        const result = {
          ...credentials,
          merchant_id: merchantId,
          name,
          kind: client.kind,
          role: rights.role ?? 'custom',
          scopes,
        };
        answer(terminal, command, result, [
          `merchant:      ${merchantId}`,
          `client id:     ${clientId}`,
          `client secret: ${clientSecret}   (shown only once)`,
          `scopes:        ${scopes.join(' ')}`,
        ]);
      };
      // a merchant named by its id must exist
      await administer(terminal, create, { mayCreate: typeof merchant === 'string' });
    });
}

function addList(program: Command, terminal: Terminal): void {
  program
    .command('client:list')
    .description('list API clients')
    .option('--merchant <id>', 'only clients of this merchant')
    .option(...JSON_OPTION)
    .action(async (options: { merchant?: string }, command: Command) => {
      const merchantId = options.merchant === undefined ? undefined : parseMerchantId(options.merchant);
      if (options.merchant !== undefined && merchantId === undefined) {
        throw new CommandError(`--merchant: got '${options.merchant}', takes the id of a merchant`);
      }
      await administer(terminal, async (context) => {
        const clients = (await context.get(ApiClientsService).list(merchantId)).map((client) => ({
          client_id: client.clientId,
          merchant_id: client.merchantId,
          name: client.name,
          kind: client.kind,
          role: roleOf(client) ?? 'custom',
          scopes: scopesOf(client),
          created_at: client.createdAt.toISOString(),
          revoked_at: client.revokedAt?.toISOString() ?? null,
        }));
        const rows = clients.map((client) => [
          client.client_id,
          String(client.merchant_id),
          client.name,
          client.created_at,
          client.revoked_at ?? '-',
          client.role ?? 'custom',
          client.scopes.join(' '),
        ]);
        answer(
          terminal,
          command,
          clients,
          table([['CLIENT', 'MERCHANT', 'NAME', 'CREATED', 'REVOKED', 'ROLE', 'SCOPES'], ...rows]),
        );
      });
    });
}

function addRevoke(program: Command, terminal: Terminal): void {
  program
    .command('client:revoke')
    .description('revoke an API client permanently; its tokens stop working within seconds')
    .argument('<client-id>')
    .option(...JSON_OPTION)
    .action(async (clientId: string, _, command: Command) => {
      await administer(terminal, async (context) => {
        await context.get(ApiClientsService).revoke(clientId, COMMAND_LINE);
        answer(terminal, command, { client_id: clientId, revoked: true }, [`client ${clientId} is revoked`]);
      });
    });
}

function addRotateSecret(program: Command, terminal: Terminal): void {
  program
    .command('client:rotate-secret')
    .description('give an API client a new secret, shown only once; issued tokens stay valid')
    .argument('<client-id>')
    .option(
      '--overlap-seconds <seconds>',
      `how long the old secret stays valid, at most ${MAX_OVERLAP_SECONDS}; 0: it stops at once`,
      '86400',
    )
    .option(...JSON_OPTION)
    .action(async (clientId: string, options: { overlapSeconds: string }, command: Command) => {
      const overlapSeconds = parseOverlap('--overlap-seconds', options.overlapSeconds);
      await administer(terminal, async (context) => {
        const rotated = await context.get(ApiClientsService).rotateSecret(clientId, overlapSeconds, COMMAND_LINE);
        const until = rotated.previousExpiresAt?.toISOString() ?? null;
        const fields = { client_id: clientId, client_secret: rotated.clientSecret, previous_secret_expires_at: until };
        answer(terminal, command, fields, [
          `client id:     ${clientId}`,
          `client secret: ${rotated.clientSecret}   (shown only once)`,
          until === null ? 'the old secret has stopped' : `the old secret stops at ${until}`,
        ]);
      });
    });
}

interface GivenOptions {
  merchant: string;
  name: string;
  role?: string;
  scopes?: string;
  person?: true;
}

interface CreateClientOptions extends Omit<NewApiClient, 'merchantId'> {
  /** The id of a merchant, or the name of a new one. */
  merchant: number | string;
}

/** A new merchant and its client are created together or not at all. */
async function createClient(
  context: INestApplicationContext,
  { merchant, ...client }: CreateClientOptions,
): Promise<IssuedCredentials & { merchantId: number }> {
  const clients = context.get(ApiClientsService);
  if (typeof merchant === 'number') {
    return { merchantId: merchant, ...(await clients.create({ ...client, merchantId: merchant }, COMMAND_LINE)) };
  }
  const merchants = context.get(MerchantsService);
  const namesake = await merchants.findByName(merchant);
  if (namesake) {
    throw new CommandError(`--merchant: a merchant '${merchant}' already exists, use its id: ${namesake.id}`);
  }
  return context.get(Database).transaction(async (transaction) => {
    const { id: merchantId } = await merchants.create(merchant, transaction);
    return { merchantId, ...(await clients.create({ ...client, merchantId }, COMMAND_LINE, transaction)) };
  });
}

import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { COMMAND_LINE } from '../audit/origin.js';
import { ApiClientsService, type IssuedCredentials } from '../auth/api-clients.service.js';
import { MerchantsService } from '../auth/merchants.service.js';
import type { Scope } from '../auth/scopes.js';
import { CommandError } from './terminal.js';

export interface CreateClientOptions {
  /** The id of a merchant, or the name of a new one. */
  merchant: number | string;
  name: string;
  scopes: Scope[];
}

/** A new merchant and its client are made together or not at all. */
export async function createClient(
  context: INestApplicationContext,
  { merchant, name, scopes }: CreateClientOptions,
): Promise<IssuedCredentials & { merchantId: number }> {
  const clients = context.get(ApiClientsService);
  if (typeof merchant === 'number') {
    const client = { merchantId: merchant, name, scopes };
    return { merchantId: merchant, ...(await clients.create(client, COMMAND_LINE)) };
  }
  const merchants = context.get(MerchantsService);
  const namesake = await merchants.findByName(merchant);
  if (namesake) {
    throw new CommandError(`--merchant: there is a merchant '${merchant}' already, name it by its id: ${namesake.id}`);
  }
  return context.get(DataSource).transaction(async (manager) => {
    const { id: merchantId } = await merchants.create(merchant, manager);
    return { merchantId, ...(await clients.create({ merchantId, name, scopes }, COMMAND_LINE, manager)) };
  });
}

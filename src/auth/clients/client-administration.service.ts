import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type Principal, requireScopes } from '../../access/access.js';
import { rolesWith, scopesIn, scopesOf } from '../../access/roles.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { LOCKED_MERCHANT } from '../../shared/relations.js';
import { ApiClientEntity } from '../api-client.entity.js';
import {
  ApiClientsService,
  type ClientChanges,
  type IssuedCredentials,
  type ManagedClient,
  type NewApiClient,
  type RotatedCredentials,
} from '../api-clients.service.js';
import { FIND_GIVERS, FIND_MANAGED } from '../api-clients.queries.js';
import { GIVE, type Giver } from './people.service.js';

const LOCK: Statement = { name: 'auth.lock_merchant', text: LOCKED_MERCHANT };

/**
 * Clients as a client of the same merchant manages them. No caller gives a right that it does not have, or gets one
 * through another client: its rights, secret and end are only for callers with all its rights. One active client that gives rights always remains.
 * Changes of a merchant's clients wait for one another, so two owners cannot revoke each other at once.
 */
@Injectable()
export class ClientAdministration {
  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsService,
    @InjectRepository(ApiClientEntity) private readonly rows: Repository<ApiClientEntity>,
  ) {}

  /** Throws `insufficient_scope` for a right that the principal does not have. */
  create(
    principal: Principal,
    client: Omit<NewApiClient, 'merchantId'>,
    context: AuditContext,
  ): Promise<IssuedCredentials> {
    requireScopes(principal, scopesIn(client.rights), 'the new client');
    return this.clients.create({ ...client, merchantId: principal.merchantId }, context);
  }

  /** Throws `client_not_found`, `insufficient_scope` and `last_owner`. */
  async update(principal: Principal, clientId: string, changes: ClientChanges, context: AuditContext): Promise<void> {
    const { rights } = changes;
    if (rights) requireScopes(principal, scopesIn(rights), 'the changed client');
    await this.database.transaction(async (transaction) => {
      const client = await this.requireManageable(transaction, principal, clientId);
      if (rights && !scopesIn(rights).includes(GIVE)) await this.requireOtherGiver(transaction, client);
      await this.clients.update(transaction, client, changes, context);
    });
  }

  /** Throws `client_not_found`, `insufficient_scope` and `last_owner`. */
  async revoke(principal: Principal, clientId: string, context: AuditContext): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const client = await this.requireManageable(transaction, principal, clientId);
      await this.requireOtherGiver(transaction, client);
      await this.clients.revokeIn(transaction, clientId, context);
    });
  }

  /** Throws `client_not_found` and `insufficient_scope`. */
  rotateSecret(
    principal: Principal,
    clientId: string,
    overlapSeconds: number,
    context: AuditContext,
  ): Promise<RotatedCredentials> {
    return this.clients.rotateSecret(clientId, overlapSeconds, context, (transaction) =>
      this.requireManageable(transaction, principal, clientId),
    );
  }

  /** Throws `client_not_found`, also for a client of another merchant. */
  async find(merchantId: number, clientId: string): Promise<ApiClientEntity> {
    const client = await this.rows.findOneBy({ merchantId, clientId });
    if (!client) throw new Problem('client_not_found');
    return client;
  }

  /** The active client, under the merchant's lock. */
  private async requireManageable(
    transaction: Transaction,
    principal: Principal,
    clientId: string,
  ): Promise<ManagedClient> {
    await transaction.query(LOCK, [principal.merchantId]);
    const [client] = await transaction.query<ManagedClient>(FIND_MANAGED, [principal.merchantId, clientId]);
    if (!client) throw new Problem('client_not_found');
    if (client.revokedAt !== null) throw new Problem('client_not_found', { detail: 'it is revoked' });
    requireScopes(principal, scopesOf(client), `a change of '${clientId}'`);
    return client;
  }

  private async requireOtherGiver(transaction: Transaction, client: ManagedClient): Promise<void> {
    if (!scopesOf(client).includes(GIVE)) return;
    const givers = await transaction.query<Giver>(FIND_GIVERS, [client.merchantId, rolesWith(GIVE), GIVE]);
    if (givers.some(({ client_id: id }) => id !== client.clientId)) return;
    throw new Problem('last_owner', { detail: `first give ${GIVE} to another client` });
  }
}

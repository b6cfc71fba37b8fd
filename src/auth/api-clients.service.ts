import { Injectable, Module } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { AuditLogService, AuditModule } from '../audit/audit-log.service.js';
import { type AuditContext, SYSTEM } from '../audit/audit-context.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { isForeignKeyViolation } from '../platform/database/postgres-errors.js';
import { Clock } from '../shared/clock.js';
import { type Page, type PageRequest, toPage } from '../shared/cursor.js';
import { Problem } from '../shared/problem.js';
import { Random } from '../shared/random.js';
import { Semaphore, SemaphoreRefused } from '../shared/semaphore.js';
import { ApiClientEntity, type ClientKind } from './api-client.entity.js';
import { MerchantEntity } from './merchant.entity.js';
import { INSERT_CLIENT, REVOKE_CLIENT, ROTATE_CLIENT_SECRET, UPDATE_CLIENT } from './api-clients.queries.js';
import { OAuthError } from './oauth-error.js';
import type { ClientCredentials } from './token-request.js';
import { DECOY_HASH, hashSecret, verifySecret } from './secret-hash.js';
import { type Rights, type Role, scopesIn } from '../access/roles.js';
import type { Scope } from '../access/scopes.js';
import { MerchantsService } from './merchants.service.js';

/** scrypt runs in Node's four worker threads, which are also needed for DNS look-ups of webhook deliveries. */
const HASHING = { maxRunning: 2, maxQueued: 100 };

/**
 * The format of a client id; other ids are never looked up. Without a colon, which marks external clients
 * (token-claims.ts).
 */
const CLIENT_ID = /^[\w.-]{1,100}$/;

export const isClientId = (text: string): boolean => CLIENT_ID.test(text);

/** The columns of rights. A process of the version before reads only the scopes. */
const columnsOf = (rights: Rights) => ({ role: rights.role, scopes: scopesIn(rights) });

export interface NewApiClient {
  merchantId: number;
  name: string;
  /** Default: a program. */
  kind?: ClientKind;
  rights: Rights;
  /** Generated if absent. */
  credentials?: { id: string; secret: string };
}

/** The credentials of a new client. The secret cannot be read again later. */
export interface IssuedCredentials {
  clientId: string;
  clientSecret: string;
}

export interface ClientChanges {
  name?: string | undefined;
  kind?: ClientKind | undefined;
  rights?: Rights | undefined;
}

/** Rights as the audit log has them. */
const rightsIn = (rights: Rights): { scopes: readonly Scope[] } | { role: Role } =>
  rights.role === null ? { scopes: rights.scopes } : { role: rights.role };

/** A client as a change of it begins. */
export type ManagedClient = Pick<
  ApiClientEntity,
  'merchantId' | 'clientId' | 'name' | 'kind' | 'role' | 'scopes' | 'revokedAt'
>;

type Changeable = Pick<ManagedClient, 'name' | 'kind' | 'role'> & { scopes: readonly string[] };

const changedFields = (before: Changeable, after: Changeable): string[] =>
  (['name', 'kind', 'role', 'scopes'] as const).filter((field) => String(before[field]) !== String(after[field]));

export interface RotatedCredentials extends IssuedCredentials {
  /** Until when the old secret is valid; `null`: it is not valid. */
  previousExpiresAt: Date | null;
}

interface RotatedRow {
  merchant_id: number;
  previous_secret_expires_at: Date | null;
}

@Injectable()
export class ApiClientsService {
  private readonly hashing = new Semaphore(HASHING);

  constructor(
    @InjectRepository(ApiClientEntity) private readonly clients: Repository<ApiClientEntity>,
    private readonly random: Random,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly audit: AuditLogService,
  ) {}

  /** Uses `transaction`, or its own. Throws `merchant_not_found` and `too_many_requests`. */
  async create(
    client: NewApiClient,
    context: AuditContext = SYSTEM,
    transaction?: Transaction,
  ): Promise<IssuedCredentials> {
    const clientId = client.credentials?.id ?? `client_${this.random.bytes(16).toString('base64url')}`;
    const clientSecret = client.credentials?.secret ?? this.newSecret();
    const secretHash = await this.hash(clientSecret);
    const insert = (within: Transaction) => this.insert(within, context, { ...client, clientId, secretHash });
    await (transaction ? insert(transaction) : this.database.transaction(insert));
    return { clientId, clientSecret };
  }

  private async insert(
    transaction: Transaction,
    context: AuditContext,
    {
      merchantId,
      clientId,
      name,
      secretHash,
      kind = 'program',
      rights,
    }: NewApiClient & { clientId: string; secretHash: string },
  ): Promise<void> {
    const { role, scopes } = columnsOf(rights);
    const values = [merchantId, clientId, name, secretHash, scopes, kind, role, context.clientId];
    await transaction.query(INSERT_CLIENT, values).catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error;
      throw new Problem('merchant_not_found', { detail: `there is no merchant ${merchantId}` });
    });
    const details = { kind, ...rightsIn(rights) };
    const entry = { merchantId, action: 'client.created', objectId: clientId, details } as const;
    await this.audit.record(transaction, context, entry);
  }

  /** All clients, oldest first, or those of one merchant. */
  list(merchantId?: number): Promise<ApiClientEntity[]> {
    return this.clients.find({ where: merchantId === undefined ? {} : { merchantId }, order: { id: 'ASC' } });
  }

  /** A page of a merchant's clients, newest first, including revoked ones. */
  async page(merchantId: number, { limit, beforeId }: PageRequest): Promise<Page<ApiClientEntity>> {
    const where = { merchantId, ...(beforeId !== undefined && { id: LessThan(beforeId) }) };
    return toPage(await this.clients.find({ where, order: { id: 'DESC' }, take: limit + 1 }), limit);
  }

  find(clientId: string): Promise<ApiClientEntity | null> {
    return this.clients.findOneBy({ clientId });
  }

  /**
   * Changes an active client. Issued tokens lose rights that it no longer has within seconds (`ActiveClientsService`). Without
   * a change nothing is written.
   */
  async update(
    transaction: Transaction,
    client: ManagedClient,
    changes: ClientChanges,
    context: AuditContext,
  ): Promise<void> {
    const { clientId, merchantId } = client;
    const { name = client.name, kind = client.kind, rights } = changes;
    const { role, scopes } = rights ? columnsOf(rights) : client;
    const fields = changedFields(client, { name, kind, role, scopes });
    if (fields.length === 0) return;
    await transaction.query(UPDATE_CLIENT, [clientId, name, kind, role, scopes]);
    const details = rights ? rightsIn(rights) : {};
    await this.audit.record(transaction, context, {
      ...{ merchantId, action: 'client.updated', objectId: clientId, fields, details },
    });
  }

  /**
   * Revokes a client. Its tokens stop working within seconds (`ActiveClientsService`). Revoking again has no effect.
   * Throws `client_not_found`.
   */
  async revoke(clientId: string, context: AuditContext = SYSTEM): Promise<void> {
    if (!(await this.find(clientId))) {
      throw new Problem('client_not_found', { detail: `there is no client '${clientId}'` });
    }
    await this.database.transaction((transaction) => this.revokeIn(transaction, clientId, context));
  }

  /** The same in a transaction; an unknown client has no effect. */
  async revokeIn(transaction: Transaction, clientId: string, context: AuditContext): Promise<void> {
    const [revoked] = await transaction.query<{ merchant_id: number }>(REVOKE_CLIENT, [clientId]);
    if (!revoked) return;
    const entry = { merchantId: revoked.merchant_id, action: 'client.revoked', objectId: clientId } as const;
    await this.audit.record(transaction, context, entry);
  }

  /**
   * Replaces the secret. The old one stays valid for `overlapSeconds`, and an older one stops at once; issued tokens stay
   * valid. `check` runs first in the transaction. Throws `client_not_found`, also for a revoked client.
   */
  async rotateSecret(
    clientId: string,
    overlapSeconds: number,
    context: AuditContext,
    check?: (transaction: Transaction) => Promise<unknown>,
  ): Promise<RotatedCredentials> {
    const clientSecret = this.newSecret();
    const secretHash = await this.hash(clientSecret);
    const previousExpiresAt = await this.database.transaction(async (transaction) => {
      await check?.(transaction);
      const values = [clientId, secretHash, overlapSeconds];
      const [rotated] = await transaction.query<RotatedRow>(ROTATE_CLIENT_SECRET, values);
      if (!rotated)
        throw new Problem('client_not_found', { detail: `there is no client '${clientId}', or it is revoked` });
      const entry = { merchantId: rotated.merchant_id, action: 'client.secret_rotated', objectId: clientId } as const;
      await this.audit.record(transaction, context, entry);
      return rotated.previous_secret_expires_at;
    });
    return { clientId, clientSecret, previousExpiresAt };
  }

  /**
   * Returns the client if it exists, is not revoked and the secret is correct: its own, or the one before while that is
   * valid. Takes the same time for an unknown client. Throws the `OAuthError` `too_many_requests`.
   */
  async authenticate({ clientId, secrets }: ClientCredentials): Promise<ApiClientEntity | null> {
    const client = isClientId(clientId) ? await this.find(clientId) : null;
    const isCorrect = await this.hashing
      .run(() => matchesAny(secrets, client ? validHashes(client, this.clock.now()) : [DECOY_HASH]))
      .catch(asOAuthError);
    return client !== null && client.revokedAt === null && isCorrect ? client : null;
  }

  /** Takes a turn with the checks of secrets. */
  private hash(secret: string): Promise<string> {
    return this.hashing
      .run(() => hashSecret(secret, this.random))
      .catch((error: unknown) => {
        if (!(error instanceof SemaphoreRefused)) throw error;
        const detail = 'too many secrets are being made and checked';
        throw new Problem('too_many_requests', { detail, headers: { 'retry-after': '2' } });
      });
  }

  private newSecret(): string {
    return `secret_${this.random.bytes(32).toString('base64url')}`;
  }
}

function asOAuthError(error: unknown): never {
  if (!(error instanceof SemaphoreRefused)) throw error;
  throw new OAuthError('too_many_requests', 'too many concurrent token requests', { retryAfterSeconds: 2 });
}

function validHashes(
  { secretHash, previousSecretHash, previousSecretExpiresAt }: ApiClientEntity,
  now: Date,
): string[] {
  const isPreviousValid = previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
  return isPreviousValid ? [secretHash, previousSecretHash!] : [secretHash];
}

async function matchesAny(secrets: readonly string[], hashes: readonly string[]): Promise<boolean> {
  for (const hash of hashes) for (const secret of secrets) if (await verifySecret(secret, hash)) return true;
  return false;
}

/** Merchants and their API clients, without HTTP, as the command line needs them. */
@Module({
  imports: [TypeOrmModule.forFeature([MerchantEntity, ApiClientEntity]), AuditModule],
  providers: [MerchantsService, ApiClientsService],
  exports: [MerchantsService, ApiClientsService],
})
export class ApiClientsModule {}

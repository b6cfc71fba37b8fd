import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SYSTEM } from '../audit/audit-context.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { type Config, isEmbedded } from '../platform/config/config.js';
import { Database, type Statement, type Transaction } from '../platform/database/database.js';
import type { ApiClientEntity } from './api-client.entity.js';
import { ApiClientsService, type IssuedCredentials } from './api-clients.service.js';
import { MerchantsService } from './merchants.service.js';
import { verifySecret } from './secret-hash.js';

/**
 * An arbitrary constant. A process holds this lock while it creates a first client, so that concurrently starting
 * processes create only one.
 */
export const FIRST_CLIENT_LOCK = 7_305_112_031;

/**
 * The time-out for a transaction that hashes a secret while it holds the lock, in a starting process. On a busy machine
 * this takes longer than the usual time-outs. Limited to a minute, so that other processes do not wait for ever for one
 * that hangs.
 */
const LONG_TIMEOUTS: Statement = {
  name: 'auth.first_client_time_outs',
  text: `SELECT set_config(name, '60s', true) FROM unnest(
    '{lock_timeout, statement_timeout, idle_in_transaction_session_timeout}'::text[]) AS name`,
};

const LOCK: Statement = { name: 'auth.lock_first_client', text: 'SELECT pg_advisory_xact_lock($1)' };

/** Creates the first merchant and client of an installation. */
@Injectable()
export class BootstrapService implements OnApplicationBootstrap {
  private readonly logger = new Logger(BootstrapService.name);

  constructor(
    @InjectConfig() private readonly config: Pick<Config, 'bootstrapClient' | 'databaseUrl'>,
    private readonly database: Database,
    private readonly merchants: MerchantsService,
    private readonly clients: ApiClientsService,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.ensureBootstrapClient();
  }

  /**
   * Creates the client of `BOOTSTRAP_CLIENT_ID`, with a merchant and the role of an owner. An existing client stays unchanged.
   */
  async ensureBootstrapClient(): Promise<void> {
    const credentials = this.config.bootstrapClient;
    if (!credentials) return;
    const existing = await this.underLock(async (transaction) => {
      const found = await this.clients.find(credentials.id);
      if (!found) await this.createFirst(transaction, 'Bootstrap merchant', credentials);
      return found;
    });
    if (existing) await this.warn(existing, credentials.secret);
    else this.logger.log(`created the bootstrap client '${credentials.id}' and its merchant`);
  }

  /** Creates a merchant and a client who is its owner, to try the service; `null` if there is any client already. */
  createDemoClient(): Promise<IssuedCredentials | null> {
    return this.underLock(async (transaction) =>
      (await this.clients.list()).length > 0 ? null : this.createFirst(transaction, 'Demo merchant'),
    );
  }

  private async createFirst(
    transaction: Transaction,
    merchantName: string,
    credentials?: { id: string; secret: string },
  ): Promise<IssuedCredentials> {
    const { id: merchantId } = await this.merchants.create(merchantName, transaction);
    const rights = { role: 'owner' } as const;
    const client = { merchantId, name: merchantName.replace('merchant', 'client'), rights };
    return this.clients.create({ ...client, ...(credentials && { credentials }) }, SYSTEM, transaction);
  }

  private async warn(client: ApiClientEntity, secret: string): Promise<void> {
    await this.warnOfDifference(client, secret);
    // the secret has all scopes and is no longer needed; the embedded database is used only for trials
    if (isEmbedded(this.config)) return;
    const reason = `is no longer needed, because the client '${client.clientId}' exists`;
    this.logger.warn(`BOOTSTRAP_CLIENT_SECRET ${reason}: remove it from the environment`);
  }

  private async warnOfDifference(client: ApiClientEntity, secret: string): Promise<void> {
    if (client.revokedAt) {
      this.logger.warn(`the bootstrap client '${client.clientId}' is revoked, and stays revoked`);
    } else if (!(await verifySecret(secret, client.secretHash))) {
      this.logger.warn(`BOOTSTRAP_CLIENT_SECRET is not the secret of '${client.clientId}', which stays unchanged`);
    }
  }

  private underLock<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(LONG_TIMEOUTS);
      await transaction.query(LOCK, [FIRST_CLIENT_LOCK]);
      return work(transaction);
    });
  }
}

import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SYSTEM } from '../audit/audit-context.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { type Config, isEmbedded } from '../platform/config/config.js';
import { Database, type Statement, type Transaction } from '../platform/database/database.js';
import type { ApiClientEntity } from './api-client.entity.js';
import { ApiClientsService, type IssuedCredentials } from './api-clients.service.js';
import { MerchantsService } from './merchants.service.js';
import { SCOPES } from '../access/scopes.js';
import { verifySecret } from './secret-hash.js';

/** Any constant will do: who makes a first client holds it, so that of processes that start together one does. */
export const FIRST_CLIENT_LOCK = 7_305_112_031;

/**
 * Whoever holds it hashes a secret meanwhile, in a process that starts: on a busy machine that takes longer than a lock, a
 * statement or an idle transaction may otherwise. A minute, so that one that stands still is not waited for for ever.
 */
const PATIENT: Statement = {
  name: 'auth_first_client_time_outs',
  text: `SELECT set_config(name, '60s', true) FROM unnest(
    '{lock_timeout, statement_timeout, idle_in_transaction_session_timeout}'::text[]) AS name`,
};

const LOCK: Statement = { name: 'auth_lock_first_client', text: 'SELECT pg_advisory_xact_lock($1)' };

/** Makes the first merchant and client of an installation. */
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

  /** Makes the client of `BOOTSTRAP_CLIENT_ID`, with a merchant and all scopes. One that exists is left as it is. */
  async ensureBootstrapClient(): Promise<void> {
    const credentials = this.config.bootstrapClient;
    if (!credentials) return;
    const existing = await this.underLock(async (transaction) => {
      const found = await this.clients.find(credentials.id);
      if (!found) await this.createFirst(transaction, 'Bootstrap merchant', credentials);
      return found;
    });
    if (existing) await this.warn(existing, credentials.secret);
    else this.logger.log(`made the bootstrap client '${credentials.id}' and its merchant`);
  }

  /** A merchant and a client with all scopes, to try the service out with; `null` when there is any client already. */
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
    const client = { merchantId, name: merchantName.replace('merchant', 'client'), scopes: SCOPES };
    return this.clients.create({ ...client, ...(credentials && { credentials }) }, SYSTEM, transaction);
  }

  private async warn(client: ApiClientEntity, secret: string): Promise<void> {
    await this.warnOfDifference(client, secret);
    // a secret with all scopes that nothing needs any more; where the database is another machine's, this is no trial
    if (isEmbedded(this.config)) return;
    const takes = 'takes nothing once it is made: take it out of the environment';
    this.logger.warn(`BOOTSTRAP_CLIENT_SECRET: got a secret though '${client.clientId}' exists, ${takes}`);
  }

  private async warnOfDifference(client: ApiClientEntity, secret: string): Promise<void> {
    if (client.revokedAt) {
      this.logger.warn(`the bootstrap client '${client.clientId}' is revoked, and stays so`);
    } else if (!(await verifySecret(secret, client.secretHash))) {
      this.logger.warn(`BOOTSTRAP_CLIENT_SECRET is not the secret of '${client.clientId}', which stays unchanged`);
    }
  }

  private underLock<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(PATIENT);
      await transaction.query(LOCK, [FIRST_CLIENT_LOCK]);
      return work(transaction);
    });
  }
}

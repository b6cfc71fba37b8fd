import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database } from '../../platform/database/database.js';
import type { DueOperation, OperationRow } from '../money/state/operation.js';
import { CLAIM_DUE, LIST_DUE, TAKE_OPERATION } from '../ledger/operation.queries.js';

/** Provider calls per claim: a look-up and a call, and a margin for the writes between them. */
const CALLS_PER_CLAIM = 3;
const CLAIM_MARGIN_MS = 10_000;

/**
 * Gives open operations to one worker at a time. A claim waits for no lock and holds none: it moves the time at which the
 * operation is due again.
 */
@Injectable()
export class OperationClaims {
  /** How long a claim lasts: the calls of one try, and a margin. */
  readonly claimMs: number;

  constructor(
    private readonly database: Database,
    @InjectConfig() config: Pick<Config, 'providerTimeoutMs'>,
  ) {
    this.claimMs = config.providerTimeoutMs * CALLS_PER_CLAIM + CLAIM_MARGIN_MS;
  }

  /** Due operations, the longest due first. */
  listDue(since: Date, limit: number): Promise<DueOperation[]> {
    return this.database.query<DueOperation>(LIST_DUE, [since, limit]);
  }

  /** Claims those of the operations that are still due, for as long as the caller's calls may take. */
  async claim(due: readonly DueOperation[]): Promise<OperationRow[]> {
    if (due.length === 0) return [];
    const ids = [due.map(({ payment_id: paymentId }) => paymentId), due.map(({ id }) => id)];
    return this.database.query<OperationRow>(CLAIM_DUE, [...ids, this.claimMs]);
  }

  /** Claims one operation, due or not, like {@link claim}; `undefined` if it is closed. */
  async take({ payment_id: paymentId, id }: OperationRow): Promise<OperationRow | undefined> {
    return (await this.database.query<OperationRow>(TAKE_OPERATION, [paymentId, id, this.claimMs]))[0];
  }
}

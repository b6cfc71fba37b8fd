import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { WorkKind } from '../../platform/due-work/due-work.js';
import type { GivenOption } from '../../shared/payment-method.js';
import { ProviderCallsService } from './provider-calls.service.js';
import {
  DELETE_REMOVED,
  type DueMethod,
  FIND_DUE_METHOD,
  METHOD_WORK,
  OUTCOME_WAIT_MS,
  REMOVE_UNCHARGED,
  SHOPS_OF_ACCOUNTS,
} from '../methods/saved-methods.queries.js';
import { SavedMethods } from '../methods/saved-methods.service.js';

const INTERVAL_MS = 2_000;
/** A detachment without an answer is tried again after this time, also after a worker's death. */
const AGAIN_MS = 10 * 60_000;
const GIVE_UP_MS = 3 * 86_400_000;

/**
 * The worker's detachment of removed payment methods at their providers. The row is deleted when every provider has
 * answered, or after three days without: tokens must not stay for ever. A token is detached with the customer's last entry
 * that has it. Methods of charges that failed are removed too.
 */
@Injectable()
export class Detachments {
  readonly work: WorkKind = {
    kind: METHOD_WORK,
    name: 'payment method detachments',
    everyMs: INTERVAL_MS,
    leaseMs: AGAIN_MS,
    batch: 1,
    run: ({ subjectId }) => this.run(subjectId),
  };
  private readonly logger = new Logger(Detachments.name);

  constructor(
    private readonly database: Database,
    private readonly calls: ProviderCallsService,
    private readonly methods: SavedMethods,
  ) {}

  private async run(id: number): Promise<number | undefined> {
    const [method] = await this.database.query<DueMethod>(FIND_DUE_METHOD, [id]);
    if (!method) return undefined;
    const { removed_ms: removedMs, is_charged: isCharged, has_failed: hasFailed } = method;
    if (removedMs !== null) return this.detachRemoved(method, removedMs);
    if (isCharged !== false) return undefined;
    if (!hasFailed) return OUTCOME_WAIT_MS;
    // makes its detachment due
    await this.database.query(REMOVE_UNCHARGED, [id]);
    return undefined;
  }

  private async detachRemoved(removed: DueMethod, removedMs: number): Promise<number | undefined> {
    const isDetached = await this.detachAll(removed);
    const isOver = !isDetached && removedMs > GIVE_UP_MS;
    if (isOver) {
      const msg = 'a removed payment method could not be detached at its providers; remove it there';
      this.logger.error({ msg, paymentMethodId: removed.id, customerId: removed.customer_id });
    }
    if (!isDetached && !isOver) return AGAIN_MS;
    await this.database.query(DELETE_REMOVED, [removed.id]);
    return undefined;
  }

  /** Whether no provider has to be asked again. Never rejects. */
  private async detachAll(removed: DueMethod): Promise<boolean> {
    try {
      const options = await this.methods.optionsToDetach(removed);
      const ended = await Promise.all(options.map((option) => this.detach(removed.merchant_id, option)));
      return ended.every(Boolean);
    } catch (error) {
      const msg = 'failed to detach a payment method, will try again';
      this.logger.error({ msg, paymentMethodId: removed.id, err: error });
      return false;
    }
  }

  private async detach(merchantId: number, { provider, account, token }: GivenOption & { token: string }) {
    const shops = await this.database.query<{ id: number }>(SHOPS_OF_ACCOUNTS, [merchantId, provider, account ?? null]);
    const calls = await Promise.all(shops.map(({ id }) => this.calls.detach(id, token)));
    return calls.every((call) => call === undefined || call.known);
  }
}

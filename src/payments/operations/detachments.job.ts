import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ScheduledJob } from '../../platform/workers/shared-schedule.js';
import type { GivenOption } from '../../shared/payment-method.js';
import { ProviderCallsService } from './provider-calls.service.js';
import {
  CLAIM_REMOVED,
  DELETE_REMOVED,
  REMOVE_UNCHARGED,
  type RemovedMethod,
  SHOPS_OF_ACCOUNTS,
} from '../payment-methods/saved-methods.queries.js';
import { SavedMethods } from '../payment-methods/saved-methods.service.js';

const INTERVAL_MS = 2_000;
/** A claim ends after this time, so a detachment without an answer is tried again then, also after a worker's death. */
const AGAIN_MS = 10 * 60_000;
const GIVE_UP_MS = 3 * 86_400_000;

/**
 * The worker's detachment of removed payment methods at their providers. The row is deleted when every provider has
 * answered, or after three days without: tokens must not stay for ever. Methods of charges that failed are removed too.
 */
@Injectable()
export class Detachments {
  readonly job: ScheduledJob = {
    name: 'payment method detachments',
    everyMs: INTERVAL_MS,
    run: (stopping) => this.run(stopping),
  };
  private readonly logger = new Logger(Detachments.name);

  constructor(
    private readonly database: Database,
    private readonly calls: ProviderCallsService,
    private readonly methods: SavedMethods,
  ) {}

  private async run(stopping: AbortSignal): Promise<void> {
    await this.database.query(REMOVE_UNCHARGED);
    while (!stopping.aborted) {
      const [removed] = await this.database.query<RemovedMethod>(CLAIM_REMOVED, [AGAIN_MS]);
      if (!removed) return;
      const isDetached = await this.detachAll(removed);
      const isOver = !isDetached && removed.removed_ms > GIVE_UP_MS;
      if (isOver) {
        const msg = 'a removed payment method could not be detached at its providers; remove it there';
        this.logger.error({ msg, paymentMethodId: removed.id, customerId: removed.customer_id });
      }
      if (isDetached || isOver) await this.database.query(DELETE_REMOVED, [removed.id]);
    }
  }

  /** Whether no provider has to be asked again. Never rejects. */
  private async detachAll(removed: RemovedMethod): Promise<boolean> {
    try {
      const options = this.methods.optionsOf(removed);
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

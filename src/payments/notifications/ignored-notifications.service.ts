import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { DAY_MS } from '../../shared/clock.js';
import { COUNT_IGNORED, IS_IGNORED_LIMIT_REACHED } from '../store/notification.queries.js';

/**
 * Limits the stored notifications without a payment, per shop and UTC day. Notifications about a payment are limited by
 * the number of payments; without this limit, anyone with a shop's notification secret could add any number of others.
 */
@Injectable()
export class IgnoredNotifications {
  private readonly max: number;

  constructor(@InjectConfig() { maxIgnoredNotificationsPerDay }: Pick<Config, 'maxIgnoredNotificationsPerDay'>) {
    this.max = maxIgnoredNotificationsPerDay;
  }

  /** Reads the counter without a lock, so that a notification that would be refused is not written first. */
  async isLimitReached(transaction: Transaction, shopId: number, at: Date): Promise<boolean> {
    if (this.max === 0) return false;
    return (await transaction.query(IS_IGNORED_LIMIT_REACHED, [shopId, dayOf(at), this.max])).length > 0;
  }

  /**
   * Counts a notification in the transaction that stores it. Must be the last call: the next notification for the shop
   * waits for the commit. Throws `too_many_requests` if the day's limit is reached.
   */
  async count(transaction: Transaction, shopId: number, at: Date): Promise<void> {
    if (this.max === 0) return;
    const [counted] = await transaction.query(COUNT_IGNORED, [shopId, dayOf(at), this.max]);
    if (!counted) throw this.refusal(at);
  }

  /** 429 until the next day. */
  refusal(at: Date): Problem {
    const seconds = Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1_000);
    return new Problem('too_many_requests', {
      detail: `a shop may receive ${this.max} notifications without a payment per day, and this is one more`,
      headers: { 'retry-after': String(seconds) },
    });
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

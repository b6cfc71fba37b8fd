import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { COUNT_IGNORED, IGNORED_ARE_FULL } from './notification.queries.js';

const DAY_MS = 86_400_000;

/**
 * Bounds what is stored of notifications that no payment accounts for, per shop and UTC day. Those about a payment are
 * bounded by the payments; of the others whoever holds a shop's notification secret can make any number.
 */
@Injectable()
export class IgnoredNotifications {
  private readonly most: number;

  constructor(@InjectConfig() { maxIgnoredNotificationsPerDay }: Pick<Config, 'maxIgnoredNotificationsPerDay'>) {
    this.most = maxIgnoredNotificationsPerDay;
  }

  /** A look that locks and counts nothing, so that what would be refused in the end is not written first. */
  async areFull(transaction: Transaction, shopId: number, at: Date): Promise<boolean> {
    if (this.most === 0) return false;
    return (await transaction.query(IGNORED_ARE_FULL, [shopId, dayOf(at), this.most])).length > 0;
  }

  /**
   * Counts one in the transaction that stores it. To be called last: who comes next for the shop waits for the commit.
   * Throws `too_many_requests` when the day's are stored already.
   */
  async count(transaction: Transaction, shopId: number, at: Date): Promise<void> {
    if (this.most === 0) return;
    const [counted] = await transaction.query(COUNT_IGNORED, [shopId, dayOf(at), this.most]);
    if (!counted) throw this.refusal(at);
  }

  /** 429 until the next day. */
  refusal(at: Date): Problem {
    const seconds = Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1_000);
    return new Problem('too_many_requests', {
      detail: `a shop takes ${this.most} notifications a day that no payment accounts for, this one is beyond`,
      headers: { 'retry-after': String(seconds) },
    });
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

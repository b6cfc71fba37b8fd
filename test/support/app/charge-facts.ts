import { PaymentsService } from '../../../src/payments/store/payments.service.js';
import type { ChargeFact, Fact } from '../../../src/payments/money/state/fact.js';
import { type Applied, MoneyService } from '../../../src/payments/store/money.service.js';
import type { Transaction } from '../../../src/platform/database/database.js';
import type { TestApi } from './api-app.js';

/** The provider's answer to the charge of the first attempt. */
export const answered = (status: ChargeFact['status'], fields: Partial<ChargeFact> = {}): ChargeFact => ({
  ...{ about: 'charge', source: 'answer', attempt: 1, status },
  ...fields,
});

/** The provider's report of the charge of the first attempt. */
export const notified = (status: ChargeFact['status']): ChargeFact => answered(status, { source: 'notification' });

/** Applies a fact in the transaction, which locks the payment. */
export const applyIn = async (api: TestApi, transaction: Transaction, id: number, fact: Fact): Promise<Applied> =>
  api.get(MoneyService).applyTo(transaction, await api.get(PaymentsService).lock(transaction, id), fact);

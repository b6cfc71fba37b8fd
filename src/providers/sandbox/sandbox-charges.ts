import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import { Random } from '../../shared/random.js';
import type { ChargeAnswer, ChargeRequest } from '../payment-provider.js';
import { SandboxAddress } from './sandbox-address.js';
import { chargeAnswerOf } from './sandbox-answers.js';
import { newTransaction, outcomeOf, transactionIdFor, type WrittenScenario } from './sandbox-charge.js';
import { SandboxLedger } from './sandbox-ledger.js';
import { SandboxNotifier } from './sandbox-notifier.js';

/** Charges at the sandbox: writes them with their notifications, and answers. */
@Injectable()
export class SandboxCharges {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly notifier: SandboxNotifier,
    private readonly address: SandboxAddress,
    private readonly random: Random,
    private readonly clock: Clock,
  ) {}

  async record(request: ChargeRequest, scenario: WrittenScenario): Promise<{ isNew: boolean; answer: ChargeAnswer }> {
    const charge = newTransaction(request, scenario, this.random, this.address, this.clock.now());
    if (!(await this.ledger.open(charge))) {
      return { isNew: false, answer: chargeAnswerOf(await this.ledger.repeat(charge)) };
    }
    for (const { due_in_ms: dueInMs } of charge.notifications) if (dueInMs) this.notifier.wake(dueInMs);
    if (scenario.notifiesFirst) await this.notifier.sendNow(charge.reference);
    return { isNew: true, answer: chargeAnswerOf(charge) };
  }

  /** The answer without a ledger: there is no page for the payer, and no notification follows. */
  answerWithoutLedger(request: ChargeRequest, scenario: WrittenScenario): ChargeAnswer {
    return chargeAnswerOf({
      ...outcomeOf(request, scenario, this.clock.now()),
      transaction_id: transactionIdFor(request, this.random),
      decline_code: scenario.declineCode ?? null,
      page_url: null,
    });
  }
}

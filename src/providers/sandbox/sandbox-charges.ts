import { Injectable } from '@nestjs/common';
import { ActionDataRefused } from '@payment-orchestrator/provider-kit';
import { Clock } from '../../shared/clock.js';
import { Random } from '../../shared/random.js';
import type { ChargeAnswer, ChargeRequest } from '../payment-provider.js';
import { SandboxAddress } from './sandbox-address.js';
import { chargeAnswerOf, completedAnswerOf } from './sandbox-answers.js';
import { newTransaction, outcomeOf, transactionIdFor, type WrittenScenario } from './sandbox-charge.js';
import { SandboxLedger } from './sandbox-ledger.js';
import { SandboxNotifier } from './sandbox-notifier.js';

/** The payer's choice by the `result` that the merchant's page hands in. */
const RESULTS = { approved: 'approve', declined: 'decline' } as const;

function refuse(field: string, message: string): never {
  throw new ActionDataRefused([{ field, message }]);
}

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

  /**
   * The payer's decision in the merchant's page. The notification about it is sent as well. A repeat gets the first answer.
   */
  async complete(reference: string, data: Readonly<Record<string, unknown>>): Promise<ChargeAnswer> {
    const held = await this.ledger.find(reference);
    if (!held?.page) throw new Error(`the sandbox waits for no step of the payer of ${reference}`);
    const { challenge = held.page, result } = data;
    if (challenge !== held.page) refuse('challenge', 'is of another transaction');
    const choice = Object.entries(RESULTS).find(([name]) => name === result)?.[1];
    if (!choice) return refuse('result', `must be one of ${Object.keys(RESULTS).join(', ')}`);
    if (await this.ledger.choose(held.page, choice)) this.notifier.wake(0);
    return completedAnswerOf((await this.ledger.find(reference))!);
  }

  /** The answer without a ledger: there is no page for the payer, and no notification follows. */
  answerWithoutLedger(request: ChargeRequest, scenario: WrittenScenario): ChargeAnswer {
    return chargeAnswerOf({
      ...outcomeOf(request, scenario, this.clock.now()),
      transaction_id: transactionIdFor(request, this.random),
      decline_code: scenario.declineCode ?? null,
      page: null,
      page_url: null,
    });
  }
}

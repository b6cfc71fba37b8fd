import {
  ActionDataRefused,
  type ChargeAnswer,
  type ChargeRequest,
  type ConnectorContext,
  type ConnectorHost,
} from '@payment-orchestrator/provider-kit';
import { chargeAnswerOf, completedAnswerOf } from './answers.js';
import { newTransaction, outcomeOf, transactionIdFor, type WrittenScenario } from './charge.js';
import type { SandboxLedger } from './ledger.js';
import type { SandboxNotifier } from './notifier.js';

/** The payer's choice by the `result` that the merchant's page hands in. */
const RESULTS = { approved: 'approve', declined: 'decline' } as const;

function refuse(field: string, message: string): never {
  throw new ActionDataRefused([{ field, message }]);
}

/** Charges at the sandbox: writes them with their notifications, and answers. */
export class SandboxCharges {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly notifier: SandboxNotifier,
    private readonly context: ConnectorContext,
    private readonly host: ConnectorHost,
  ) {}

  async record(request: ChargeRequest, scenario: WrittenScenario): Promise<{ isNew: boolean; answer: ChargeAnswer }> {
    const charge = newTransaction(request, scenario, this.context, this.host.url());
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
}

/** The answer without a ledger: there is no page for the payer, and no notification follows. */
export const answerWithoutLedger = (
  request: ChargeRequest,
  scenario: WrittenScenario,
  context: ConnectorContext,
): ChargeAnswer =>
  chargeAnswerOf({
    ...outcomeOf(request, scenario, context.clock.now()),
    transaction_id: transactionIdFor(request, context),
    decline_code: scenario.declineCode ?? null,
    page: null,
    page_url: null,
  });

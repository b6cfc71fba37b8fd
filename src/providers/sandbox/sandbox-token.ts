import { UNKNOWN_TOKEN } from '../decline-code.js';
import type { ChargeAnswer } from '../payment-provider.js';

type Outcome = ChargeAnswer['outcome'];

/** What a payment method's token makes the sandbox do. */
export interface SandboxScenario {
  /** What a charge is answered with; `silence`: never anything, and nothing is taken. */
  outcome: Outcome | 'silence';
  /** The answer to the first call is lost, the charge is not. */
  losesAnswer?: true;
  declineCode?: string;
  /** Ends like this a little later, and says so in a notification. */
  settlesAs?: 'captured' | 'declined';
  /** Sends a notification before it answers. */
  notifiesFirst?: true;
  /** The payer decides on a page of the sandbox. */
  asksPayer?: true;
  /** Waits for a notification that somebody else signs with the shop's secret, such as a test. */
  settledByHand?: true;
  /** What a later refund is answered with. */
  refunds?: 'pending' | 'refused';
}

const SCENARIOS: Readonly<Record<string, SandboxScenario>> = {
  tok_success: { outcome: 'approved' },
  tok_decline: { outcome: 'declined', declineCode: 'card_declined' },
  tok_soft_decline: { outcome: 'soft_declined', declineCode: 'issuer_unavailable' },
  tok_unknown: UNKNOWN_TOKEN,
  tok_pending: { outcome: 'processing', settledByHand: true },
  tok_timeout: { outcome: 'silence' },
  tok_unavailable: { outcome: 'unavailable' },
  tok_charged_no_answer: { outcome: 'approved', losesAnswer: true },
  tok_async_success: { outcome: 'processing', settlesAs: 'captured' },
  tok_async_decline: { outcome: 'processing', settlesAs: 'declined', declineCode: 'card_declined' },
  tok_early_notification: { outcome: 'approved', notifiesFirst: true },
  tok_requires_action: { outcome: 'processing', asksPayer: true, declineCode: 'authentication_failed' },
  tok_refund_pending: { outcome: 'approved', refunds: 'pending' },
  tok_refund_refused: { outcome: 'approved', refunds: 'refused' },
};

export const SANDBOX_TOKENS = Object.keys(SCENARIOS);

/** What the shop simulates wins over the payment's own token; without either the charge succeeds. */
export function scenarioOf(token: string | undefined, credentials: Record<string, unknown>): SandboxScenario {
  const simulated = credentials['simulate'];
  const name = typeof simulated === 'string' ? simulated : (token ?? 'tok_success');
  return (Object.hasOwn(SCENARIOS, name) && SCENARIOS[name]) || UNKNOWN_TOKEN;
}

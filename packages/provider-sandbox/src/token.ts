import { PAYMENT_METHOD_UNUSABLE } from '@payment-orchestrator/provider-kit';
import { acceptsAnyToken, accountNameOf, DEFAULT_ACCOUNT } from './account.js';
import type { ChargeAnswer, Initiator, NextAction } from '@payment-orchestrator/provider-kit';

type Outcome = ChargeAnswer['outcome'];

/** The sandbox's behaviour for a payment method's token. */
export interface SandboxScenario {
  /** The answer to a charge; `silence`: no answer, and nothing is charged. */
  outcome: Outcome | 'silence';
  /** The first answer is lost; the charge is made. */
  losesAnswer?: true;
  declineCode?: string;
  /** Gets this status a little later, and sends a notification. */
  settlesAs?: 'captured' | 'declined';
  /** Sends a notification before it answers. */
  notifiesFirst?: true;
  /** The payer decides: on a page of the sandbox, or in the merchant's page. */
  asksPayer?: NextAction['type'];
  /** Waits for a notification that another program, such as a test, signs with the shop's secret. */
  settledByHand?: true;
  /** An approved automatic charge is captured this much later. */
  capturesInMs?: number;
  /** How long an authorisation lasts; absent: seven days. */
  lapsesInMs?: number;
  /** The answer to a later capture; absent: confirmed. */
  captures?: 'pending' | 'refused';
  /** The answer to a later refund. */
  refunds?: 'pending' | 'refused';
  /** A capture or refund that was accepted fails a little later. */
  fails?: 'capture' | 'refund';
  refusesVoids?: true;
  /** Charges the smallest unit of the currency too much. */
  chargesMore?: true;
}

const SCENARIOS: Readonly<Record<string, SandboxScenario>> = {
  tok_success: { outcome: 'approved' },
  tok_decline: { outcome: 'declined', declineCode: 'card_declined' },
  tok_soft_decline: { outcome: 'soft_declined', declineCode: 'issuer_unavailable' },
  tok_unknown: PAYMENT_METHOD_UNUSABLE,
  tok_pending: { outcome: 'processing', settledByHand: true },
  tok_timeout: { outcome: 'silence' },
  tok_unavailable: { outcome: 'unavailable' },
  tok_charged_no_answer: { outcome: 'approved', losesAnswer: true },
  tok_async_success: { outcome: 'processing', settlesAs: 'captured' },
  tok_async_decline: { outcome: 'processing', settlesAs: 'declined', declineCode: 'card_declined' },
  tok_early_notification: { outcome: 'approved', notifiesFirst: true },
  tok_requires_action: { outcome: 'processing', asksPayer: 'redirect', declineCode: 'authentication_failed' },
  tok_provider_action: { outcome: 'processing', asksPayer: 'provider_action', declineCode: 'authentication_failed' },
  tok_captured_later: { outcome: 'approved', capturesInMs: 3_000 },
  tok_authorize_only: { outcome: 'approved' },
  tok_authorization_lapses: { outcome: 'approved', lapsesInMs: 3_000 },
  tok_capture_refused: { outcome: 'approved', captures: 'refused' },
  tok_capture_pending: { outcome: 'approved', captures: 'pending' },
  tok_refund_pending: { outcome: 'approved', refunds: 'pending' },
  tok_refund_refused: { outcome: 'approved', refunds: 'refused' },
  tok_capture_fails: { outcome: 'approved', captures: 'pending', fails: 'capture' },
  tok_refund_fails: { outcome: 'approved', refunds: 'pending', fails: 'refund' },
  tok_refund_fails_late: { outcome: 'approved', fails: 'refund' },
  tok_void_refused: { outcome: 'approved', refusesVoids: true },
  tok_amount_differs: { outcome: 'processing', settlesAs: 'captured', chargesMore: true },
};

export const SANDBOX_TOKENS = Object.keys(SCENARIOS);

/**
 * The shop's `simulate` has precedence over the payment's token; without either the charge succeeds. A token belongs to
 * the account that it names: `tok_success@eu`. Without a name it belongs to the account of shops that name none. A charge by the merchant
 * that needs the payer is declined.
 */
export function scenarioOf(
  token: string | undefined,
  credentials: Record<string, unknown>,
  initiator?: Initiator,
): SandboxScenario {
  const scenario = scenarioFor(token, credentials);
  // like Stripe's off-session payments: no payer is there to authenticate
  return scenario.asksPayer && initiator === 'merchant' ? AUTHENTICATION_REQUIRED : scenario;
}

const AUTHENTICATION_REQUIRED: SandboxScenario = { outcome: 'declined', declineCode: 'authentication_required' };

function scenarioFor(token: string | undefined, credentials: Record<string, unknown>): SandboxScenario {
  const simulated = credentials['simulate'];
  if (typeof simulated === 'string') return namedScenario(simulated);
  const [name = '', account = DEFAULT_ACCOUNT] = (token ?? SUCCESS).split('@', 2);
  const isAccepted = token === undefined || acceptsAnyToken(credentials) || account === accountNameOf(credentials);
  return isAccepted ? namedScenario(name) : PAYMENT_METHOD_UNUSABLE;
}

const SUCCESS = 'tok_success';

const namedScenario = (name: string): SandboxScenario =>
  (Object.hasOwn(SCENARIOS, name) && SCENARIOS[name]) || PAYMENT_METHOD_UNUSABLE;

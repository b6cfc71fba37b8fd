import type { DeclineCode, ReadDecline } from '@payment-orchestrator/provider-kit';

/** The fields of a payment or an action about a decline. */
export interface CheckoutDecline {
  response_code?: string | undefined;
  processing?: { recommendation_code?: string; partner_merchant_advice_code?: string } | undefined;
}

/**
 * Response codes by ours: https://www.checkout.com/docs/resources/codes/api-response-codes. Soft: another acquirer may
 * answer differently.
 */
const SOFT: Readonly<Record<DeclineCode, string>> = {
  authentication_failed: '20150 20153',
  call_issuer: '20001 20002',
  card_declined: '20046 20182',
  card_not_supported: '20103 200T3',
  configuration_error: '20003 20102 20112 20121 20157',
  currency_not_supported: '20106',
  do_not_honor: '20005',
  invalid_amount: '20013 30020',
  issuer_unavailable: '20068 20091 20092',
  payment_method_unusable: '20101 20114',
  processing_error: '20006 20009 20019 20022 20030 20096 20105',
  transaction_not_allowed: '20012 20057 20058 20104 2005C',
};

/** Hard: about the card, its account or the payer. */
const HARD: Readonly<Record<DeclineCode, string>> = {
  authentication_failed: '20151 20152 20155',
  authentication_required: '20154 200O5',
  authorization_revoked: '200R1 200R3',
  cancelled_by_payer: '20017',
  duplicate_transaction: '20094',
  expired_card: '20054 30033',
  fraudulent: '20059 20183 30034',
  incorrect_address: '20107 20123',
  incorrect_cvc: '20082 20087 20124 200N7',
  incorrect_pin: '20038 20055 20075 30038',
  insufficient_funds: '20051',
  invalid_account: '20039 20052 20053 20056 30015 30046',
  invalid_expiry: '20100',
  invalid_number: '20014',
  limit_exceeded: '20061 20065 200P1 200P9 30021 30022',
  lost_card: '30041',
  new_account_information_available: '20108 20179',
  pickup_card: '30004 30007',
  restricted_card: '20062 20078 30036 30044',
  security_violation: '20063',
  stolen_card: '30043',
};

const byCode = (codes: Readonly<Record<DeclineCode, string>>, outcome: ReadDecline['outcome']) =>
  Object.entries(codes).flatMap(([declineCode, all]) =>
    all.split(' ').map((code): [string, ReadDecline] => [code, { outcome, declineCode }]),
  );

export const CHECKOUT_DECLINES: ReadonlyMap<string, ReadDecline> = new Map([
  ...byCode(SOFT, 'soft_declined'),
  ...byCode(HARD, 'declined'),
]);

/** Mastercard's advice that forbids the same card; such retries cost a fee. */
const FINAL_ADVICE: ReadonlySet<string> = new Set(['01', '03', '21']);

/** An unknown code passes through; `20…` is soft, and `40…` a decision of Checkout.com's own risk rules. */
export function readCheckoutDecline({ response_code: code = '', processing }: CheckoutDecline): ReadDecline {
  const isSoft = code.startsWith('20');
  const unknown: DeclineCode = code.startsWith('4')
    ? 'fraudulent'
    : /^\w{1,100}$/.test(code)
      ? code.toLowerCase()
      : 'card_declined';
  const known = CHECKOUT_DECLINES.get(code) ?? { outcome: isSoft ? 'soft_declined' : 'declined', declineCode: unknown };
  const { recommendation_code: advice, partner_merchant_advice_code: networkAdvice = '' } = processing ?? {};
  return advice === '03' || FINAL_ADVICE.has(networkAdvice) ? { ...known, outcome: 'declined' } : known;
}

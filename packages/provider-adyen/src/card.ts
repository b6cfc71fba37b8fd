import { type ChargeAnswer, validFacts } from '@payment-orchestrator/provider-kit';

/**
 * The facts in `additionalData` of an answer, if the account's settings include them (Developers > Additional data); no
 * `card` if there are none. https://docs.adyen.com/api-explorer/Checkout/latest/post/payments#responses-200-additionalData
 */
export function cardOf(data: Record<string, unknown> | undefined): Pick<ChargeAnswer, 'card'> {
  if (!data) return {};
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(textOf(data['expiryDate'])) ?? [];
  const card = validFacts({
    scheme: data['paymentMethod'],
    bin: data['issuerBin'] ?? data['cardBin'],
    last4: data['cardSummary'],
    funding: textOf(data['fundingSource']).toLowerCase(),
    issuer_country: data['cardIssuingCountry'] ?? data['issuerCountry'],
    expiry_month: Number(month),
    expiry_year: Number(year),
  });
  return card ? { card } : {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

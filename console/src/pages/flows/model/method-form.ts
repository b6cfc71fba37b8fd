import type { Schema } from '@payment-orchestrator/client';
import { newKey, type OptionForm } from './form';

type Method = Schema<'PaymentMethod'>;
type Option = Pick<Schema<'PaymentMethodOption'>, 'provider' | 'account'>;

/** The payment method of a simulated payment; empty fields are not sent. Routing needs no token. */
export interface MethodForm {
  /** Empty: the accounts are not named, so any shop may have the payment method. */
  options: OptionForm[];
  type: string;
  scheme: string;
  bin: string;
  funding: string;
  issuerCountry: string;
}

export const NO_METHOD: MethodForm = { options: [], type: '', scheme: '', bin: '', funding: '', issuerCountry: '' };

export const newOption = (provider: string, account = ''): OptionForm => ({ key: newKey(), provider, account });

export const optionForms = (options: readonly Option[]): OptionForm[] =>
  options.map(({ provider, account }) => newOption(provider, account));

export const optionsOf = (options: readonly OptionForm[]): Option[] =>
  options.map(({ provider, account }) => ({ provider, ...given({ account }) }));

/** The `payment_method` of the API; `undefined`: nothing is given. */
export function methodOf({ options, type, scheme, bin, funding, issuerCountry }: MethodForm): Method | undefined {
  const card = given({ scheme, bin, funding, issuer_country: issuerCountry });
  const method = {
    ...given({ type }),
    ...(options.length > 0 && { options: optionsOf(options) }),
    ...(Object.keys(card).length > 0 && { card }),
  };
  // typed texts may be invalid: the API then reports the error at the field
  return Object.keys(method).length > 0 ? method : undefined;
}

export function methodForm({ type, options = [], card = {} }: Method): MethodForm {
  return {
    options: optionForms(options),
    type: type ?? '',
    scheme: card.scheme ?? '',
    bin: card.bin ?? '',
    funding: card.funding ?? '',
    issuerCountry: card.issuer_country ?? '',
  };
}

/** The labels of the accounts of these shops, by provider. */
export function accountsOf(shops: Iterable<Pick<Schema<'Shop'>, 'provider' | 'provider_account'>>) {
  const accounts = new Map<string, string[]>();
  for (const { provider, provider_account: account } of shops) {
    const labels = accounts.get(provider) ?? [];
    if (!labels.includes(account)) accounts.set(provider, [...labels, account].sort());
  }
  return accounts;
}

/** A short description, such as `sandbox eu; card, visa`. */
export function methodText({ options, type, scheme, bin, funding, issuerCountry }: MethodForm): string {
  const accounts = options.map(({ provider, account }) => `${provider} ${account || '(any account)'}`).join(', ');
  const facts = [type, scheme, bin, funding, issuerCountry].filter(Boolean).join(', ');
  return [accounts, facts].filter(Boolean).join('; ') || 'not named';
}

const given = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

import type { Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { Select, TextField } from '../../../ui/field';
import { fieldError, hasErrorWithin } from '../../../ui/field-errors';
import { AccountOptions } from '../account-options';
import { type MethodForm, methodText } from '../model/method-form';

interface Props {
  method: MethodForm;
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  onChange: (method: MethodForm) => void;
  error: unknown;
}

const FIELD = 'payment_method';
const FUNDINGS: readonly Schema<'CardFunding'>[] = ['credit', 'debit', 'prepaid', 'charge', 'unknown'];

/** The accounts that have the payer's payment method, its type and facts about the card. */
export function MethodFields({ method, shops, onChange, error }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen || hasErrorWithin(error, FIELD)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        Payment method: <bdi>{methodText(method)}</bdi>
      </summary>
      <div className="stack">
        <AccountOptions
          options={method.options}
          shops={shops}
          onChange={(options) => onChange({ ...method, options })}
          name="Payment method"
          empty="Without accounts, any shop may have the payment method."
          errorOf={(field) => fieldError(error, `${FIELD}.${field}`)}
        />
        <FactFields method={method} onChange={onChange} error={error} />
      </div>
    </details>
  );
}

const TYPED = [
  { name: 'type', label: 'Type', field: 'type', textOf: (text: string) => text },
  {
    name: 'scheme',
    label: 'Scheme',
    field: 'card.scheme',
    textOf: (text: string) => text.toLowerCase(),
  },
  { name: 'bin', label: 'BIN', field: 'card.bin', textOf: (text: string) => text },
  {
    name: 'issuerCountry',
    label: 'Issuer country',
    field: 'card.issuer_country',
    textOf: (text: string) => text.toUpperCase(),
  },
] as const;

const FactFields = ({ method, onChange, error }: Omit<Props, 'shops'>) => (
  <div className="simulator-fields">
    {TYPED.map(({ name, label, field, textOf }) => (
      <TextField
        key={name}
        label={label}
        placeholder="none"
        spellCheck={false}
        value={method[name]}
        error={fieldError(error, `${FIELD}.${field}`)}
        onChange={({ target }) => onChange({ ...method, [name]: textOf(target.value.trim()) })}
      />
    ))}
    <Select
      label="Funding"
      value={method.funding}
      options={[{ value: '', label: 'none' }, ...FUNDINGS.map((funding) => ({ value: funding, label: funding }))]}
      error={fieldError(error, `${FIELD}.card.funding`)}
      onChange={({ target }) => onChange({ ...method, funding: target.value })}
    />
  </div>
);

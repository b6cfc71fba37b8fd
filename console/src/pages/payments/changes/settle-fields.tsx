import type { Schema } from '@payment-orchestrator/client';
import { Select, TextArea, TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { money } from '../../../ui/money';
import { amountReason, type Found, hasAmount, type Outcome, OUTCOMES, outcomesOf, type Problems } from './settlement';

interface Props {
  operation: Schema<'PaymentOperation'>;
  found: Found;
  onChange: (found: Found) => void;
  problems: Problems;
  /** The error of the request, with the API's messages about the fields. */
  error: unknown;
}

export function SettleFields({ operation, found, onChange, problems, error }: Props) {
  const { amount, currency } = operation;
  const { outcome } = found;
  const outcomes = outcomesOf(operation).map((value) => ({ value, label: `${value}: ${OUTCOMES[value]}` }));
  const mustGive = amountReason(operation, outcome) !== undefined;
  return (
    <>
      <Select
        label="Outcome at the provider"
        value={outcome}
        options={[{ value: '', label: 'Choose …' }, ...outcomes]}
        onChange={({ target }) => onChange({ ...found, outcome: target.value as Outcome | '' })}
        error={problems.outcome ?? fieldError(error, 'outcome')}
      />
      {hasAmount(operation, outcome) && (
        <TextField
          label={`Captured amount in ${currency}`}
          hint={mustGive ? 'The amount that the provider shows.' : `If empty: ${money(amount, currency)}.`}
          inputMode="decimal"
          value={found.amount}
          onChange={({ target }) => onChange({ ...found, amount: target.value })}
          error={problems.amount ?? fieldError(error, 'amount')}
        />
      )}
      <TextField
        label="Provider’s id"
        hint={
          operation.kind === 'charge'
            ? 'Optional. The id of the transaction at the provider.'
            : `Optional. The id of the ${operation.kind} at the provider.`
        }
        maxLength={200}
        spellCheck={false}
        value={found.providerId}
        onChange={({ target }) => onChange({ ...found, providerId: target.value })}
        error={fieldError(error, 'provider_transaction_id')}
      />
      <TextArea
        label="Reason"
        hint="Where you looked, and whom you asked."
        rows={2}
        maxLength={400}
        required
        value={found.reason}
        onChange={({ target }) => onChange({ ...found, reason: target.value })}
        error={problems.reason ?? fieldError(error, 'reason')}
      />
    </>
  );
}

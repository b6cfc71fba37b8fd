import { Button } from '../../ui/button';
import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';
import { type FeeForm, newFee } from './fee-form';

interface Props {
  fees: readonly FeeForm[];
  onChange: (fees: FeeForm[]) => void;
  error: unknown;
}

/** The maximum number of fees of a shop. */
const MAX_FEES = 50;

/** Inputs for the provider's fees: one row for each price. */
export function FeeFields({ fees, onChange, error }: Props) {
  return (
    <>
      <p className="muted small">
        A payment has the most specific fee: first one for its card scheme, then for its type of payment method, then
        for its currency. Empty fields mean any.
      </p>
      {fees.map((fee, index) => (
        <FeeRow
          key={fee.key}
          fee={fee}
          index={index}
          error={error}
          onChange={(changed) => onChange(fees.map((each) => (each === fee ? changed : each)))}
          onRemove={() => onChange(fees.filter((each) => each !== fee))}
        />
      ))}
      <p>
        <Button onClick={() => onChange([...fees, newFee()])} disabled={fees.length >= MAX_FEES}>
          Add a fee
        </Button>
      </p>
    </>
  );
}

interface RowProps {
  fee: FeeForm;
  index: number;
  error: unknown;
  onChange: (fee: FeeForm) => void;
  onRemove: () => void;
}

function FeeRow({ fee, index, error, onChange, onRemove }: RowProps) {
  const path = `fees[${index}]`;
  const inputOf = (name: Exclude<keyof FeeForm, 'key' | 'type'>) => ({
    value: fee[name],
    error: fieldError(error, `${path}.${name}`),
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ ...fee, [name]: target.value }),
  });
  const entryError = fieldError(error, path);
  return (
    <fieldset className="fee-row">
      <legend className="small">Fee {index + 1}</legend>
      <TextField label="Percent" inputMode="decimal" autoFocus={isNew(fee)} {...inputOf('percent')} />
      <TextField label="Fixed" inputMode="decimal" placeholder="0" {...inputOf('fixed')} />
      <TextField label="Currency" maxLength={3} placeholder="any" spellCheck={false} {...inputOf('currency')} />
      <TextField label="Card scheme" maxLength={32} placeholder="any" spellCheck={false} {...inputOf('scheme')} />
      <TextField
        label="Payment method"
        maxLength={32}
        placeholder="any"
        spellCheck={false}
        error={fieldError(error, `${path}.payment_method_type`)}
        value={fee.type}
        onChange={({ target }) => onChange({ ...fee, type: target.value })}
      />
      <Button variant="quiet" aria-label={`Remove fee ${index + 1}`} onClick={onRemove}>
        ✕
      </Button>
      {entryError !== undefined && <p className="field-error">{entryError}</p>}
    </fieldset>
  );
}

const isNew = ({ percent, fixed, currency, scheme, type }: FeeForm): boolean =>
  percent + fixed + currency + scheme + type === '';

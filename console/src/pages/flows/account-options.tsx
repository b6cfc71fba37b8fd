import type { Schema } from '@payment-orchestrator/client';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import type { OptionForm } from './model/form';
import { accountsOf, newOption } from './model/method-form';
import { replaced, without } from './model/order';

interface Props {
  options: OptionForm[];
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  onChange: (options: OptionForm[]) => void;
  /** The labels of the inputs begin with it. */
  name: string;
  /** The text without options. */
  empty: string;
  /** The API's message about a field, such as `options[0].account`. */
  errorOf: (field: string) => string | undefined;
}

const MOST_OPTIONS = 10;

/** The accounts that have the payer's payment method, as `options` of the API without tokens. */
export function AccountOptions({ options, shops, onChange, name, empty, errorOf }: Props) {
  const accounts = accountsOf(shops.values());
  const add = (): void => onChange([...options, newOption(accounts.keys().next().value ?? '')]);
  const error = errorOf('options');
  return (
    <div role="group" aria-label={`${name}: accounts`} className="stack">
      <p className="small muted">
        {options.length === 0 ? empty : 'Only shops of these accounts take such a payment.'}
      </p>
      {options.map((option, index) => (
        <OptionRow
          key={option.key}
          option={option}
          name={`options[${index}]`}
          accounts={accounts}
          errorOf={errorOf}
          onChange={(changed) => onChange(replaced(options, index, changed))}
          onRemove={() => onChange(without(options, index))}
        />
      ))}
      {error !== undefined && <p className="field-error">{error}</p>}
      {options.length < MOST_OPTIONS && (
        <div>
          <Button onClick={add}>Add an account</Button>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  option: OptionForm;
  /** Its name in the API. */
  name: string;
  /** The labels of the merchant's accounts, by provider. */
  accounts: ReadonlyMap<string, readonly string[]>;
  errorOf: Props['errorOf'];
  onChange: (option: OptionForm) => void;
  onRemove: () => void;
}

function OptionRow({ option, name, accounts, errorOf, onChange, onRemove }: RowProps) {
  const { provider, account } = option;
  return (
    <div className="account-option">
      <Choice
        label="Provider"
        value={provider}
        known={[...accounts.keys()]}
        error={errorOf(`${name}.provider`)}
        onChange={(chosen) => onChange({ ...option, provider: chosen, account: '' })}
      />
      <Choice
        label="Account"
        any="any account"
        value={account}
        known={accounts.get(provider) ?? []}
        error={errorOf(`${name}.account`)}
        onChange={(chosen) => onChange({ ...option, account: chosen })}
      />
      <Button variant="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        ✕
      </Button>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  /** The option for no text. */
  any?: string;
  value: string;
  known: readonly string[];
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A choice among the known values, or a text if there are none, as without the scope to read shops. */
function Choice({ label, any, value, known, error, onChange }: ChoiceProps) {
  const change = ({ target }: { target: { value: string } }): void => onChange(target.value.trim());
  if (known.length === 0)
    return (
      <TextField label={label} placeholder={any} value={value} error={error} spellCheck={false} onChange={change} />
    );
  const all = value === '' || known.includes(value) ? known : [...known, value];
  const options = all.map((each) => ({ value: each, label: each }));
  const none = any === undefined ? [] : [{ value: '', label: any }];
  return <Select label={label} value={value} options={[...none, ...options]} error={error} onChange={change} />;
}

import type { ShopForm } from '../model/form';
import { errorsWithin } from '../model/field-errors';
import { OtherErrors, useFieldErrors } from './errors-context';
import { CodesField, NumberField } from './parsed-fields';

interface Props {
  member: ShopForm;
  path: string;
  hasWeight: boolean;
  hasPriority: boolean;
  onChange: (member: ShopForm) => void;
}

export function ShopFields({ member, path, hasWeight, hasPriority, onChange }: Props) {
  const change = (part: Partial<ShopForm>): void => onChange({ ...member, ...part });
  const conditions = `${path}.conditions`;
  const shown = [hasWeight && `${path}.weight`, hasPriority && `${path}.priority`, conditions].filter(
    (field) => field !== false,
  );
  return (
    <>
      <div className="row shop-basics">
        <label className="check">
          <input
            type="checkbox"
            checked={member.enabled !== false}
            onChange={({ target }) => change({ enabled: target.checked })}
          />
          Use this shop
        </label>
        {hasWeight && (
          <NumberField
            label="Weight"
            placeholder="1"
            path={`${path}.weight`}
            value={member.weight}
            onChange={(weight) => change({ weight })}
          />
        )}
        {hasPriority && (
          <NumberField
            label="Priority"
            placeholder="1"
            path={`${path}.priority`}
            value={member.priority}
            onChange={(priority) => change({ priority })}
          />
        )}
      </div>
      <Conditions member={member} path={conditions} change={change} />
      <OtherErrors field={path} shown={shown} />
    </>
  );
}

interface ConditionsProps {
  member: ShopForm;
  path: string;
  change: (part: Partial<ShopForm>) => void;
}

/** The conditions of a shop. Closed at first, unless they have an error. */
function Conditions({ member, path, change }: ConditionsProps) {
  const { currencies, countries, minAmount, maxAmount } = member;
  const parts = [
    currencies?.join(', '),
    countries?.join(', '),
    minAmount !== undefined && `from ${minAmount}`,
    maxAmount !== undefined && `up to ${maxAmount}`,
  ].filter(Boolean);
  const hasError = errorsWithin(useFieldErrors(), path).length > 0;
  return (
    <details className="shop-conditions" open={hasError || undefined}>
      <summary>
        Conditions: <span className="muted">{parts.length === 0 ? 'any payment' : parts.join(' · ')}</span>
      </summary>
      <div className="columns-2">
        <CodesField
          label="Currencies"
          placeholder="any"
          path={`${path}.currencies`}
          value={currencies}
          onChange={(codes) => change({ currencies: codes })}
        />
        <CodesField
          label="Countries"
          placeholder="any"
          path={`${path}.countries`}
          value={countries}
          onChange={(codes) => change({ countries: codes })}
        />
        <NumberField
          label="Minimum amount"
          placeholder="any"
          path={`${path}.min_amount`}
          value={minAmount}
          onChange={(amount) => change({ minAmount: amount })}
        />
        <NumberField
          label="Maximum amount"
          placeholder="any"
          path={`${path}.max_amount`}
          value={maxAmount}
          onChange={(amount) => change({ maxAmount: amount })}
        />
      </div>
    </details>
  );
}

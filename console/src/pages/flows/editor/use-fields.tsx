import { Select } from '../../../ui/field';
import type { Choice, UseForm } from '../model/form';
import { errorsWithin } from '../model/field-errors';
import { useFieldError, useFieldErrors } from './errors-context';
import { ShopChecks } from './shop-checks';
import { CHOICES } from './strategies';
import { SuccessRateFields } from './success-rate-fields';

interface Props {
  use: UseForm;
  path: string;
  /** The shops of the flow. */
  members: readonly { id: number; name: string }[];
  onChange: (use: UseForm) => void;
}

/** The shops of a rule or of the default, and the strategy that chooses one. */
export function UseFields({ use, path, members, onChange }: Props) {
  const [error] = errorsWithin(useFieldErrors(), `${path}.shops`);
  const ids = new Set(members.map(({ id }) => id));
  // shops that were removed from the flow are shown, so that the user can remove them here
  const removed = use.shops.filter((id) => !ids.has(id)).map((id) => ({ id, name: `Shop ${id}, not in this flow` }));
  return (
    <>
      <div className="columns-2">
        <ShopChecks
          legend="Shops"
          shops={[...members, ...removed]}
          chosen={use.shops}
          onChange={(shops) => onChange({ ...use, shops })}
          error={error}
          empty="The flow has no shops yet."
        />
        <Select
          label="Strategy"
          options={CHOICES}
          value={use.strategy}
          error={useFieldError(`${path}.strategy`)}
          onChange={({ target }) => onChange({ ...use, strategy: target.value as Choice })}
        />
      </div>
      {use.strategy === 'success_rate' && (
        <SuccessRateFields
          options={use.success_rate}
          path={`${path}.success_rate`}
          onChange={(options) => onChange({ ...use, success_rate: options })}
        />
      )}
    </>
  );
}

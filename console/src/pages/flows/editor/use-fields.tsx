import { Select } from '../../../ui/field';
import type { Choice, UseForm } from '../model/form';
import { errorsWithin } from '../model/field-errors';
import { useFieldError, useFieldErrors } from './errors-context';
import { ShopChecks } from './shop-checks';
import { CHOICES } from './strategies';

interface Props {
  use: UseForm;
  path: string;
  /** The shops of the flow. */
  members: readonly { id: number; name: string }[];
  onChange: (use: UseForm) => void;
}

/** Who takes the payments, and how it is chosen among them. */
export function UseFields({ use, path, members, onChange }: Props) {
  const [error] = errorsWithin(useFieldErrors(), `${path}.shops`);
  const ids = new Set(members.map(({ id }) => id));
  // shops that have left the flow are shown, so that they can be taken out here, too
  const strangers = use.shops.filter((id) => !ids.has(id)).map((id) => ({ id, name: `Shop ${id}, not in this flow` }));
  return (
    <div className="columns-2">
      <ShopChecks
        legend="Shops"
        shops={[...members, ...strangers]}
        chosen={use.shops}
        onChange={(shops) => onChange({ ...use, shops })}
        error={error}
        empty="The flow has no shops yet."
      />
      <Select
        label="Chosen by"
        options={CHOICES}
        value={use.strategy}
        error={useFieldError(`${path}.strategy`)}
        onChange={({ target }) => onChange({ ...use, strategy: target.value as Choice })}
      />
    </div>
  );
}

import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { Filters } from '../../ui/filters';
import { fromLocal, toLocal } from '../../ui/local-time';
import { shopOptions } from '../../ui/shop-options';
import { type DisputeSearch, dueSoon, DUE_SOON, STATUSES, validDisputeSearch } from './dispute-filter';

interface Props {
  search: DisputeSearch;
  shops: ReadonlyMap<number, { id: number; name: string }>;
  error: unknown;
  onChange: (search: DisputeSearch) => void;
}

const ANY = { value: '', label: 'Any' };

export function DisputeFilters({ search, shops, error, onChange }: Props) {
  const set = (part: Record<string, unknown>): void => onChange(validDisputeSearch({ ...search, ...part }));
  const { status, shop_id: shopId, due_from: from, due_before: before } = search;
  const count = Object.keys(search).length;
  return (
    <Filters count={count}>
      <div className="filters" role="group" aria-label="Filter">
        <Select
          label="Status"
          value={status ?? ''}
          options={[ANY, ...STATUSES.map((value) => ({ value, label: value }))]}
          onChange={({ target }) => set({ status: target.value })}
        />
        <Select
          label="Shop"
          value={shopId ?? ''}
          options={[ANY, ...shopOptions(shops, shopId)]}
          onChange={({ target }) => set({ shop_id: target.value })}
        />
        <DueTime label="Evidence due from" name="due_from" value={from} error={error} set={set} />
        <DueTime label="Evidence due before" name="due_before" value={before} error={error} set={set} />
        <div className="actions">
          <Button title={`Due in ${DUE_SOON}`} onClick={() => set({ due_before: dueSoon(Date.now()) })}>
            Due soon
          </Button>
          <Button variant="quiet" disabled={count === 0} onClick={() => onChange({})}>
            Clear
          </Button>
        </div>
      </div>
    </Filters>
  );
}

interface DueTimeProps {
  label: string;
  name: 'due_from' | 'due_before';
  value: string | undefined;
  error: unknown;
  set: (part: Record<string, unknown>) => void;
}

const DueTime = ({ label, name, value: shown, error, set }: DueTimeProps) => (
  <TextField
    // a link or "Clear" sets another time
    key={shown}
    label={label}
    type="datetime-local"
    defaultValue={toLocal(shown)}
    error={fieldError(error, name)}
    onBlur={({ target: { validity, value } }) =>
      validity.valid && value !== toLocal(shown) && set({ [name]: fromLocal(value) })
    }
  />
);

import { Select, TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { Filters } from '../../ui/filters';
import { fromLocal, toLocal } from '../../ui/local-time';
import { shopOptions } from '../../ui/shop-options';
import {
  type ApprovalsSearch,
  DEFAULT_FIELD,
  FIELD_LABELS,
  FIELDS,
  PERIODS,
  validApprovalsSearch,
} from './approvals-search';

interface Props {
  search: ApprovalsSearch;
  shops: ReadonlyMap<number, { id: number; name: string }>;
  error: unknown;
  onChange: (search: ApprovalsSearch) => void;
}

const FIELD_OPTIONS = FIELDS.map((value) => ({ value, label: FIELD_LABELS[value] }));
const ORDERS = [
  { value: '', label: 'Most attempts first' },
  { value: 'change', label: 'Largest change first' },
];

export function ApprovalsFilters({ search, shops, error, onChange }: Props) {
  // another question has other cells
  const set = (part: Record<string, unknown>): void =>
    onChange(validApprovalsSearch({ ...search, cell: undefined, ...part }));
  const { by = DEFAULT_FIELD, and, period, from, order, shop_id: shopId } = search;
  return (
    <Filters count={Object.keys(search).length}>
      <div className="filters" role="group" aria-label="Filter">
        <Select label="By" value={by} options={FIELD_OPTIONS} onChange={({ target }) => set({ by: target.value })} />
        <Select
          label="And by"
          value={and ?? ''}
          options={[{ value: '', label: 'Nothing else' }, ...FIELD_OPTIONS.filter(({ value }) => value !== by)]}
          onChange={({ target }) => set({ and: target.value })}
        />
        <Select
          label="Period"
          value={from === undefined ? (period ?? '') : 'from'}
          options={[...PERIODS, ...(from === undefined ? [] : [{ value: 'from', label: 'Since the time below' }])]}
          onChange={({ target }) => set({ period: target.value, from: undefined })}
        />
        <TextField
          key={from}
          label="Since"
          type="datetime-local"
          defaultValue={toLocal(from)}
          error={fieldError(error, 'from')}
          onBlur={({ target: { validity, value } }) =>
            validity.valid && value !== toLocal(from) && set({ from: fromLocal(value), period: undefined })
          }
        />
        <Select
          label="Shop"
          value={shopId ?? ''}
          options={[{ value: '', label: 'All' }, ...shopOptions(shops, shopId)]}
          onChange={({ target }) => set({ shop_id: target.value })}
        />
        <Select
          label="Order"
          value={order ?? ''}
          options={ORDERS}
          onChange={({ target }) => set({ order: target.value })}
        />
      </div>
    </Filters>
  );
}

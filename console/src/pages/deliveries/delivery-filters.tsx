import type { Schema } from '@payment-orchestrator/client';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { FilterText } from '../../ui/filter-text';
import { Filters } from '../../ui/filters';
import { shopOptions } from '../../ui/shop-options';
import { TimeSpan } from '../../ui/time-span';
import { type DeliverySearch, idOf, STATUSES, validDeliverySearch } from './delivery-filter';

interface Props {
  search: DeliverySearch;
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  error: unknown;
  onChange: (search: DeliverySearch) => void;
}

const ANY = { value: '', label: 'Any' };

export function DeliveryFilters({ search, shops, error, onChange }: Props) {
  const set = (part: Record<string, unknown>): void => onChange(validDeliverySearch({ ...search, ...part }));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Filters count={Object.keys(search).length}>
      <div className="filters" role="group" aria-label="Filter">
        <Select
          label="Status"
          value={search.status ?? ''}
          options={[ANY, ...STATUSES.map((value) => ({ value, label: value }))]}
          onChange={({ target }) => set({ status: target.value })}
        />
        <Select
          label="Shop"
          value={search.shop_id ?? ''}
          options={[ANY, ...shopOptions(shops, search.shop_id)]}
          onChange={({ target }) => set({ shop_id: target.value })}
        />
        <FilterText
          label="Address"
          inputMode="url"
          placeholder="Full address, https://…"
          value={search.webhook_endpoint}
          error={fieldError(error, 'webhook_endpoint')}
          onChange={(value) => set({ webhook_endpoint: value })}
        />
        <FilterText
          label="Payment"
          inputMode="numeric"
          placeholder="Payment id"
          value={search.payment_id}
          check={(text) => (idOf(text) === undefined ? 'must be a positive integer' : undefined)}
          onChange={(value) => set({ payment_id: value })}
        />
        <TimeSpan
          span={search}
          errors={{ from: fieldError(error, 'from'), to: fieldError(error, 'to') }}
          onChange={(span) => set({ ...span })}
        />
        <div className="actions">
          <Button onClick={() => set({ from: new Date(Date.now() - 3_600_000).toISOString(), to: undefined })}>
            Last hour
          </Button>
          <Button variant="quiet" disabled={!isFiltered} onClick={() => onChange({})}>
            Clear
          </Button>
        </div>
      </div>
    </Filters>
  );
}

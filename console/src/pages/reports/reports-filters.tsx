import { useShops } from '../../api/use-shops';
import { Select, TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { FilterText } from '../../ui/filter-text';
import { Filters } from '../../ui/filters';
import { shopOptions } from '../../ui/shop-options';
import {
  DEFAULT_REPORT,
  type Days,
  INTERVALS,
  PERIODS,
  REPORTS,
  type ReportsSearch,
  validReportsSearch,
} from './reports-search';

interface Props {
  search: ReportsSearch;
  days: Days;
  zone: string;
  error: unknown;
  onChange: (search: ReportsSearch) => void;
}

export function ReportsFilters({ search, days, zone, error, onChange }: Props) {
  const shops = useShops();
  const set = (part: Record<string, unknown>): void => onChange(validReportsSearch({ ...search, ...part }));
  const { report = DEFAULT_REPORT, period = '', interval = '', shop_id: shopId } = search;
  return (
    <Filters count={Object.keys(search).length}>
      <div className="filters" role="group" aria-label="Report">
        <Select
          label="Report"
          value={report}
          options={REPORTS}
          onChange={({ target }) => set({ report: target.value })}
        />
        <Select
          label="Period"
          value={period}
          options={PERIODS}
          onChange={({ target }) => set({ ...days, period: target.value })}
        />
        {period === 'custom' &&
          (['from', 'to'] as const).map((name) => (
            <TextField
              key={`${name} ${days[name]}`}
              label={name === 'from' ? 'First day' : 'Last day'}
              type="date"
              defaultValue={days[name]}
              error={fieldError(error, name)}
              onBlur={({ target }) =>
                target.value !== days[name] && target.value !== '' && set({ [name]: target.value })
              }
            />
          ))}
        <Select
          label="By"
          value={interval}
          options={INTERVALS}
          onChange={({ target }) => set({ interval: target.value })}
        />
        <FilterText
          label="Time zone"
          value={zone}
          error={fieldError(error, 'time_zone')}
          onChange={(value) => set({ time_zone: value })}
        />
        <Select
          label="Shop"
          value={shopId ?? ''}
          options={[{ value: '', label: 'All' }, ...shopOptions(shops, shopId)]}
          onChange={({ target }) => set({ shop_id: target.value })}
        />
        <FilterText
          label="Currency"
          value={search.currency}
          placeholder="All"
          check={(text) => (/^[A-Za-z]{3}$/.test(text) ? undefined : 'must be a code such as EUR')}
          onChange={(value) => set({ currency: value?.toUpperCase() })}
        />
      </div>
    </Filters>
  );
}

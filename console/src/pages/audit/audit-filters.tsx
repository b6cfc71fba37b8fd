import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { FilterText } from '../../ui/filter-text';
import { Filters } from '../../ui/filters';
import { TimeSpan } from '../../ui/time-span';
import { ACTIONS, ACTORS, actionText, type AuditSearch, OBJECT_TYPES, validAuditSearch } from './audit-filter';

interface Props {
  search: AuditSearch;
  error: unknown;
  onChange: (search: AuditSearch) => void;
}

const ANY = { value: '', label: 'Any' };

export function AuditFilters({ search, error, onChange }: Props) {
  const set = (part: Record<string, unknown>): void => onChange(validAuditSearch({ ...search, ...part }));
  return (
    <Filters count={Object.keys(search).length}>
      <div className="filters" role="group" aria-label="Filter">
        <Select
          label="Action"
          value={search.action ?? ''}
          options={[ANY, ...ACTIONS.map((value) => ({ value, label: actionText(value) }))]}
          onChange={({ target }) => set({ action: target.value })}
        />
        <Select
          label="Object"
          value={search.object_type ?? ''}
          options={[ANY, ...OBJECT_TYPES.map((value) => ({ value, label: value }))]}
          onChange={({ target }) => set({ object_type: target.value })}
        />
        <FilterText
          label="Object id"
          value={search.object_id}
          error={fieldError(error, 'object_id')}
          onChange={(value) => set({ object_id: value })}
        />
        <Select
          label="Actor"
          value={search.actor ?? ''}
          options={[ANY, ...Object.entries(ACTORS).map(([value, label]) => ({ value, label }))]}
          onChange={({ target }) => set({ actor: target.value })}
        />
        <FilterText
          label="Client id"
          value={search.client_id}
          error={fieldError(error, 'client_id')}
          onChange={(value) => set({ client_id: value })}
        />
        <TimeSpan
          span={search}
          errors={{ from: fieldError(error, 'from'), to: fieldError(error, 'to') }}
          onChange={(span) => set({ ...span })}
        />
        <div className="actions">
          <Button variant="quiet" disabled={Object.keys(search).length === 0} onClick={() => onChange({})}>
            Clear
          </Button>
        </div>
      </div>
    </Filters>
  );
}

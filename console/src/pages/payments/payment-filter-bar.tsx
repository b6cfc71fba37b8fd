import { type FormEvent, useEffect, useRef } from 'react';
import { useCan } from '../../api/session';
import { useList } from '../../api/use-list';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { formText } from '../../ui/form-text';
import { fromLocal, toLocal } from '../../ui/local-time';
import { FILTERS, filtersOf, type PaymentFilters, STATUSES } from './payment-filters';

interface Props {
  filters: PaymentFilters;
  apply: (filters: PaymentFilters) => void;
}

const ANY = { value: '', label: 'Any' };
/** What a choice holds; who has more gives the id. */
const CHOICES = 100;

/** What is chosen applies at once, what is typed on Enter or when it is left. */
export function PaymentFilterBar({ filters, apply }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(filters);
  // a link or "Clear" brings others; the fields stay, and with them the focus and what is being typed in another one
  useEffect(() => {
    for (const name of FILTERS) if (filters[name] !== shown.current[name]) show(form.current!, name, filters[name]);
    shown.current = filters;
  }, [filters]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = new FormData(form.current!);
    const times = { from: fromLocal(formText(given, 'from')), to: fromLocal(formText(given, 'to')) };
    const next = filtersOf({ ...Object.fromEntries(given), ...times });
    if (JSON.stringify(next) !== JSON.stringify(filtersOf(filters))) apply(next);
  };
  const requestSubmit = (): void => form.current?.requestSubmit();
  const text = { onBlur: requestSubmit, spellCheck: false, maxLength: 255 };
  return (
    <form ref={form} onSubmit={submit} role="search" aria-label="Payments">
      <div className="filters payments-filters">
        <Select
          label="Status"
          name="status"
          defaultValue={filters.status ?? ''}
          onChange={requestSubmit}
          options={[ANY, ...STATUSES.map((status) => ({ value: status, label: status }))]}
        />
        <NamedChoice
          label="Shop"
          name="shop_id"
          path="/shops"
          scope="shops:read"
          value={filters.shop_id}
          onChange={requestSubmit}
        />
        <NamedChoice
          label="Flow"
          name="flow_id"
          path="/flows"
          scope="flows:read"
          value={filters.flow_id}
          onChange={requestSubmit}
        />
        <TextField label="Session id" name="payment_session_id" defaultValue={filters.payment_session_id} {...text} />
        <TextField
          label="Transaction id"
          name="provider_transaction_id"
          defaultValue={filters.provider_transaction_id}
          {...text}
        />
        <TextField
          label="Customer id"
          name="customer_id"
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          defaultValue={filters.customer_id}
          {...text}
        />
        <TextField
          label="Customer reference"
          name="customer_reference"
          defaultValue={filters.customer_reference}
          {...text}
        />
        <TextField
          label="Created from"
          name="from"
          type="datetime-local"
          defaultValue={toLocal(filters.from)}
          onBlur={requestSubmit}
        />
        <TextField
          label="Created before"
          name="to"
          type="datetime-local"
          defaultValue={toLocal(filters.to)}
          onBlur={requestSubmit}
        />
        <div className="actions">
          <Button type="submit">Apply</Button>
          {Object.keys(filters).length > 0 && (
            <Button look="quiet" onClick={() => apply({})}>
              Clear
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

function show(form: HTMLFormElement, name: (typeof FILTERS)[number], value = ''): void {
  const field = form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  field.value = name === 'from' || name === 'to' ? toLocal(value) : value;
}

interface NamedProps {
  label: string;
  name: string;
  path: '/shops' | '/flows';
  scope: string;
  value: string | undefined;
  onChange: () => void;
}

/** By name where all of them fit into a choice; otherwise, and without the scope to read them, by id. */
function NamedChoice({ label, name, path, scope, value = '', onChange }: NamedProps) {
  const { rows = [], hasNextPage } = useList(path, { query: { limit: CHOICES }, isEnabled: useCan(scope) });
  if (rows.length === 0 || hasNextPage)
    return (
      <TextField
        label={`${label} id`}
        name={name}
        inputMode="numeric"
        pattern="[1-9][0-9]*"
        defaultValue={value}
        onBlur={onChange}
      />
    );
  const named = rows.map((row) => ({ value: String(row.id), label: row.name }));
  // of a deleted flow
  const unknown =
    value !== '' && named.every((option) => option.value !== value) ? [{ value, label: `${label} ${value}` }] : [];
  return (
    <Select
      key={rows.length}
      label={label}
      name={name}
      defaultValue={value}
      onChange={onChange}
      options={[ANY, ...named, ...unknown]}
    />
  );
}

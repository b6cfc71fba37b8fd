import { type FormEvent, useEffect, useRef } from 'react';
import { useFlowNames, useShops } from '../../api/use-shops';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { Filters } from '../../ui/filters';
import { formText } from '../../ui/form-text';
import { fromLocal, toLocal } from '../../ui/local-time';
import { FILTERS, filtersOf, type PaymentFilters, STATUSES, TIMES } from './payment-filters';

interface Props {
  filters: PaymentFilters;
  apply: (filters: PaymentFilters) => void;
}

const ANY = { value: '', label: 'Any' };

/** Applies selected values at once, and typed values on Enter or when the field loses the focus. */
export function PaymentFilterBar({ filters, apply }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const flowNames = useFlowNames();
  const shopNames = new Map([...useShops().values()].map(({ id, name }) => [id, name]));
  const shown = useRef(filters);
  // a link or "Clear" sets other values; the fields stay, so the focus and a text being typed in another field are kept
  useEffect(() => {
    for (const name of FILTERS) if (filters[name] !== shown.current[name]) show(form.current!, name, filters[name]);
    shown.current = filters;
  }, [filters]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = new FormData(form.current!);
    const times = TIMES.map((name): [string, string | undefined] => [name, fromLocal(formText(given, name))]);
    const next = filtersOf(Object.fromEntries<unknown>([...given, ...times]));
    if (JSON.stringify(next) !== JSON.stringify(filtersOf(filters))) apply(next);
  };
  const requestSubmit = (): void => form.current?.requestSubmit();
  const text = { onBlur: requestSubmit, spellCheck: false, maxLength: 255 };
  return (
    <form ref={form} onSubmit={submit} role="search" aria-label="Payments">
      <Filters count={Object.keys(filters).length}>
        <div className="filters payments-filters">
          <TextField
            label="Order, customer, amount or card"
            name="search"
            placeholder="A-10, ada@, 49.90, 1111"
            minLength={2}
            defaultValue={filters.search}
            {...{ ...text, maxLength: 100 }}
          />
          <Select
            label="Status"
            name="status"
            defaultValue={filters.status ?? ''}
            onChange={requestSubmit}
            options={[ANY, ...STATUSES.map((status) => ({ value: status, label: status }))]}
          />
          <NamedChoice label="Shop" name="shop_id" names={shopNames} value={filters.shop_id} onChange={requestSubmit} />
          <NamedChoice label="Flow" name="flow_id" names={flowNames} value={filters.flow_id} onChange={requestSubmit} />
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
          <TextField label="Customer e-mail" name="customer_email" defaultValue={filters.customer_email} {...text} />
          <TextField
            label="Metadata"
            name="metadata"
            placeholder="order_id=A-1001"
            pattern="[^=]+=.+"
            defaultValue={filters.metadata}
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
          <TextField
            label="Lapses from"
            name="lapses_from"
            type="datetime-local"
            defaultValue={toLocal(filters.lapses_from)}
            onBlur={requestSubmit}
          />
          <TextField
            label="Lapses before"
            name="lapses_before"
            type="datetime-local"
            defaultValue={toLocal(filters.lapses_before)}
            onBlur={requestSubmit}
          />
          <div className="actions">
            <Button type="submit">Apply</Button>
            {Object.keys(filters).length > 0 && (
              <Button variant="quiet" onClick={() => apply({})}>
                Clear
              </Button>
            )}
          </div>
        </div>
      </Filters>
    </form>
  );
}

function show(form: HTMLFormElement, name: (typeof FILTERS)[number], value = ''): void {
  const field = form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  field.value = TIMES.includes(name) ? toLocal(value) : value;
}

interface NamedProps {
  label: string;
  name: string;
  /** Names by id. */
  names: ReadonlyMap<number, string>;
  value: string | undefined;
  onChange: () => void;
}

/** A choice by name, or a field for the id if the session may not read the names. */
function NamedChoice({ label, name, names, value = '', onChange }: NamedProps) {
  if (names.size === 0)
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
  const named = [...names]
    .map(([id, text]) => ({ value: String(id), label: text }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  // the id of a deleted flow
  const unknown =
    value !== '' && named.every((option) => option.value !== value) ? [{ value, label: `${label} ${value}` }] : [];
  return (
    <Select
      key={named.length}
      label={label}
      name={name}
      defaultValue={value}
      onChange={onChange}
      options={[ANY, ...named, ...unknown]}
    />
  );
}

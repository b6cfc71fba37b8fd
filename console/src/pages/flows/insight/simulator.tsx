import type { Schema } from '@payment-orchestrator/client';
import { Card } from '../../../ui/card';
import { TextArea, TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import type { ShopNames } from '../flow-queries';
import { useParsedText } from '../editor/parsed-input';
import type { Definition, TypedNumber } from '../model/form';
import { metadataOf, type SimulatedPayment, withChange } from '../model/simulated-payment';
import { numberOf } from '../model/values';
import { LiveNotice } from './live-notice';
import { MethodFields } from './method-fields';
import { SimulationView } from './simulation-view';
import type { useSimulation } from './use-simulation';

interface Props extends ReturnType<typeof useSimulation> {
  definition: Definition;
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  nameOf: ShopNames;
  onDefinition: (path: string, to: unknown) => void;
}

const DEFINITION = 'definition.';

/** Shows where the draft would send a payment. */
export function Simulator({ payment, setPayment, live, definition, shops, nameOf, onDefinition }: Props) {
  const apply = (field: string, to: unknown): void =>
    field.startsWith(DEFINITION)
      ? onDefinition(field.slice(DEFINITION.length), to ?? undefined)
      : setPayment(withChange(payment, field, to));
  return (
    <Card title="Simulator">
      <PaymentFields payment={payment} onChange={setPayment} error={live.error} />
      <MethodFields
        method={payment.method}
        shops={shops}
        onChange={(method) => setPayment({ method })}
        error={live.error}
      />
      <Assumed payment={payment} nameOf={nameOf} onChange={setPayment} />
      <LiveNotice live={live} />
      {live.result && (
        <div className={live.error ? 'stale' : undefined}>
          <SimulationView simulation={live.result} definition={definition} nameOf={nameOf} onApply={apply} />
        </div>
      )}
    </Card>
  );
}

interface FieldsProps {
  payment: SimulatedPayment;
  onChange: (change: Partial<SimulatedPayment>) => void;
  error: unknown;
}

function PaymentFields({ payment, onChange, error }: FieldsProps) {
  const isMetadata = metadataOf(payment.metadata) !== undefined;
  return (
    <div className="simulator-fields">
      <TypedNumberField
        label="Amount"
        value={payment.amount}
        error={fieldError(error, 'amount')}
        onChange={(amount) => onChange({ amount })}
      />
      <TextField
        label="Currency"
        value={payment.currency}
        maxLength={3}
        error={fieldError(error, 'currency')}
        onChange={({ target }) => onChange({ currency: target.value.trim().toUpperCase() })}
      />
      <TextField
        label="Country"
        value={payment.country}
        placeholder="none"
        maxLength={2}
        error={fieldError(error, 'country')}
        onChange={({ target }) => onChange({ country: target.value.trim().toUpperCase() })}
      />
      <TypedNumberField
        label="Customer id"
        placeholder="none"
        value={payment.customerId}
        error={fieldError(error, 'customer_id')}
        onChange={(customerId) => onChange({ customerId })}
      />
      <TypedNumberField
        label="Payments routed before"
        placeholder="as many as now"
        value={payment.atCounter}
        error={fieldError(error, 'at_counter')}
        onChange={(atCounter) => onChange({ atCounter })}
      />
      <div className="simulator-metadata">
        <TextArea
          label="Metadata"
          rows={1}
          placeholder='{ "tier": "gold" }'
          spellCheck={false}
          value={payment.metadata}
          error={isMetadata ? fieldError(error, 'metadata') : 'must be a JSON object'}
          onChange={({ target }) => onChange({ metadata: target.value })}
        />
      </div>
    </div>
  );
}

interface NumberProps {
  label: string;
  placeholder?: string;
  value: TypedNumber;
  error: string | undefined;
  onChange: (value: TypedNumber) => void;
}

function TypedNumberField({ label, placeholder, error, ...parsed }: NumberProps) {
  const text = useParsedText({ ...parsed, textOf: (value) => String(value ?? ''), valueOf: numberOf });
  return <TextField label={label} placeholder={placeholder} error={error} inputMode="decimal" {...text} />;
}

/** The assumptions of the simulation that differ from the real state; each can be removed. */
function Assumed({ payment, nameOf, onChange }: Pick<Props, 'payment' | 'nameOf'> & Pick<FieldsProps, 'onChange'>) {
  const assumed = Object.entries(payment.overrides.shops ?? {}).flatMap(([id, override]) =>
    Object.entries(override).map(([name, value]) => ({ id, name, value })),
  );
  if (assumed.length === 0) return null;
  return (
    <ul className="chips" aria-label="Assumed">
      {assumed.map(({ id, name, value }) => (
        <li key={`${id} ${name}`} className="chip">
          <bdi className="truncate">{nameOf(Number(id))}</bdi> {name}: {JSON.stringify(value)}
          <button
            type="button"
            className="button button-quiet button-small"
            aria-label={`Do not assume ${name} of ${nameOf(Number(id))}`}
            onClick={() => onChange(withChange(payment, `overrides.shops.${id}.${name}`, null))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

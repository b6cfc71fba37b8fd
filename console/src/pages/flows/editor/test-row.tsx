import { useId } from 'react';
import {
  METADATA_PREFIX,
  type Operator,
  OPERATOR_LABELS,
  operatorsOf,
  takesList,
  TESTS_BY_FIELD,
} from '../model/condition-tests';
import type { TestNode } from '../model/form';
import { listOf, textOf, textOfList, valueOf } from '../model/values';
import { withField, withOperator } from '../model/test-changes';
import { useParsedText } from './parsed-input';

interface Props {
  name: string;
  node: TestNode;
  errors: ReadonlyMap<string, string>;
  onChange: (node: TestNode) => void;
  onRemove: () => void;
}

/** One test: field, operator and value. */
export function TestRow({ name, node, errors, onChange, onRemove }: Props) {
  const note = useId();
  const error = errors.get(node.key);
  const isMetadata = !Object.hasOwn(TESTS_BY_FIELD, node.field);
  const labelled = `${name}, ${node.field}`;
  const described = { 'aria-invalid': error !== undefined || undefined, 'aria-describedby': error && note };
  return (
    <div className="test-row">
      <select
        aria-label={`${name}: field`}
        value={isMetadata ? METADATA_PREFIX : node.field}
        onChange={({ target }) => onChange(withField(node, target.value))}
      >
        {Object.keys(TESTS_BY_FIELD).map((field) => (
          <option key={field}>{field}</option>
        ))}
        <option value={METADATA_PREFIX}>metadata</option>
      </select>
      {isMetadata && (
        <input
          aria-label={`${name}: path in metadata`}
          placeholder="order.tier"
          value={node.field.slice(METADATA_PREFIX.length)}
          spellCheck={false}
          onChange={({ target }) => onChange({ ...node, field: METADATA_PREFIX + target.value.trim() })}
        />
      )}
      <select
        aria-label={`${labelled}: test`}
        value={node.operator}
        onChange={({ target }) => onChange(withOperator(node, target.value as Operator))}
      >
        {operatorsOf(node.field).map((operator) => (
          <option key={operator} value={operator}>
            {OPERATOR_LABELS[operator]}
          </option>
        ))}
      </select>
      <Value
        key={`${node.field.split('.')[0]} ${node.operator}`}
        node={node}
        label={labelled}
        described={described}
        onChange={onChange}
      />
      <button
        type="button"
        className="button button-quiet button-small"
        aria-label={`${labelled}: remove the test`}
        onClick={onRemove}
      >
        ✕
      </button>
      {error !== undefined && (
        <p id={note} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

interface ValueProps {
  node: TestNode;
  label: string;
  described: object;
  onChange: (node: TestNode) => void;
}

function Value({ node, label, described, onChange }: ValueProps) {
  const { field, operator } = node;
  const isList = takesList(operator);
  const text = useParsedText<unknown>({
    value: node.value,
    textOf: (value) => (isList ? textOfList(field, value) : textOf(field, value)),
    valueOf: (typed) => (isList ? listOf(field, typed) : valueOf(field, typed)),
    onChange: (value) => onChange({ ...node, value }),
  });
  if (operator === 'exists') {
    return (
      <select
        aria-label={`${label}: value`}
        {...described}
        value={String(node.value)}
        onChange={({ target }) => onChange({ ...node, value: target.value === 'true' })}
      >
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    );
  }
  return (
    <input
      aria-label={`${label}: ${isList ? 'values, separated by commas' : 'value'}`}
      title={
        field.startsWith(METADATA_PREFIX)
          ? '12 is a number, "12" is a text; true, false and null are not texts'
          : undefined
      }
      placeholder={EXAMPLES[field]?.[isList ? 1 : 0] ?? (isList ? 'gold, silver' : 'gold')}
      spellCheck={false}
      {...described}
      {...text}
    />
  );
}

const EXAMPLES: Record<string, [one: string, some: string]> = {
  currency: ['EUR', 'EUR, CHF'],
  country: ['DE', 'DE, FR'],
  amount: ['500', '10, 20'],
  customer_id: ['7', '7, 12'],
  'payment_method.type': ['card', 'card, paypal'],
  'card.scheme': ['visa', 'visa, mastercard'],
  'card.bin': ['411111', '4111, 51'],
  'card.funding': ['credit', 'debit, prepaid'],
  'card.issuer_country': ['DE', 'DE, FR'],
};

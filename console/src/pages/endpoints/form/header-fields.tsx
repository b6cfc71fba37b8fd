import { useState } from 'react';
import { Button } from '../../../ui/button';
import { errorsWithin } from '../../../ui/field-errors';
import { TextField } from '../../../ui/field';
import { FieldGroup } from './field-group';
import type { FormPart } from './form-part';
import type { HeaderRow } from './endpoint-values';
import { KeepOrReplace } from './keep-or-replace';

const MAX_HEADERS = 20;

/** The merchant's own headers, one row each. Their values are stored encrypted and never shown again. */
export function HeaderFields({ values: { headers, keepsHeaders }, set, error }: FormPart) {
  const [stored] = useState(keepsHeaders ? headers.map(({ name }) => name).join(', ') : undefined);
  const change = (key: number, part: Partial<HeaderRow>): void =>
    set({ headers: headers.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  const add = (): void => {
    const key = Math.max(-1, ...headers.map((row) => row.key)) + 1;
    set({ headers: [...headers, { key, name: '', value: '' }] });
  };
  return (
    <FieldGroup
      legend="Headers (optional)"
      hint="Added to every request. Values are stored encrypted and never shown again."
      error={repetitionIn(headers) ?? errorsWithin(error, 'headers')}
    >
      {stored !== undefined && (
        <KeepOrReplace stored={stored} keeps={keepsHeaders} onChange={(keeps) => set({ keepsHeaders: keeps })} />
      )}
      {!keepsHeaders && (
        <>
          {headers.map((row) => (
            <Row
              key={row.key}
              row={row}
              onChange={(part) => change(row.key, part)}
              onRemove={() => set({ headers: headers.filter(({ key }) => key !== row.key) })}
            />
          ))}
          <div className="actions">
            <Button onClick={add} disabled={headers.length >= MAX_HEADERS}>
              Add a header
            </Button>
          </div>
        </>
      )}
    </FieldGroup>
  );
}

/** The API gets the headers by name, so it could not see a repeated one. */
export function repetitionIn(headers: readonly HeaderRow[]): string | undefined {
  const names = headers.map(({ name }) => name.trim().toLowerCase()).filter((name) => name !== '');
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  return repeated === undefined ? undefined : `header "${repeated}" is given twice`;
}

interface RowProps {
  row: HeaderRow;
  onChange: (part: Partial<HeaderRow>) => void;
  onRemove: () => void;
}

const Row = ({ row: { key, name, value }, onChange, onRemove }: RowProps) => (
  <div className="header-row" role="group" aria-label={`Header ${key + 1}`}>
    <TextField
      label="Name"
      value={name}
      required
      spellCheck={false}
      placeholder="X-Environment"
      onChange={({ target }) => onChange({ name: target.value })}
    />
    <TextField
      label="Value"
      type="password"
      autoComplete="new-password"
      value={value}
      required
      spellCheck={false}
      onChange={({ target }) => onChange({ value: target.value })}
    />
    <Button onClick={onRemove} aria-label={`Remove header ${name || key + 1}`}>
      Remove
    </Button>
  </div>
);

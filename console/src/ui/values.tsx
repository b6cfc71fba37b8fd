import { money } from './money';
import { type ReactNode, useState } from 'react';

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the API in the user's time zone; the tooltip shows UTC, to the millisecond. */
export const Time = ({ value }: { value: string | null | undefined }) =>
  value ? (
    <time dateTime={value} title={`${value.replace('T', ' ').replace('Z', '')} UTC`} className="nowrap">
      {local.format(new Date(value))}
    </time>
  ) : (
    <None />
  );

/** An amount, formatted for its currency. Amounts of the API are in major units. */
export const Money = ({ amount, currency }: { amount: number; currency: string }) => (
  <span className="number nowrap">{money(amount, currency)}</span>
);

/** A name that a user has chosen: in its own writing direction, at most three lines; the tooltip shows all of it. */
export const Name = ({ value }: { value: string }) => (
  <bdi className="name" title={value}>
    {value}
  </bdi>
);

/** Shown for a missing value. */
export const None = () => (
  <span className="muted" aria-label="none">
    –
  </span>
);

/** An id or a secret, with a button that copies it. */
export const Id = ({ value }: { value: string | number | null | undefined }) =>
  value === null || value === undefined ? (
    <None />
  ) : (
    <span className="id">
      <code>{value}</code>
      <CopyButton text={String(value)} />
    </span>
  );

/** Shows the result for 1.5 s. Browsers refuse to copy on pages that were loaded over plain HTTP. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [result, setResult] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('Copied');
    } catch {
      setResult('Not copied');
    }
    setTimeout(() => setResult(undefined), 1_500);
  };
  return (
    <button type="button" className="button button-quiet button-small" onClick={() => void copy()}>
      {result ?? label}
    </button>
  );
}

/** Names and values of one object. Foreign text, such as metadata, keeps its own writing direction. */
export const Facts = ({ facts }: { facts: [name: string, value: ReactNode][] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <bdi>{value ?? <None />}</bdi>
        </dd>
      </div>
    ))}
  </dl>
);

/** Code that can scroll, so it must be reachable by keyboard. */
export const Code = ({ value }: { value: unknown }) => (
  <pre className="code" tabIndex={0}>
    <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
  </pre>
);

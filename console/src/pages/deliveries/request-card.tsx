import type { Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Button } from '../../ui/button';
import { CopyButton, None } from '../../ui/values';
import { type SentHeader, sentHeaders } from './sent-request';

const COLUMNS: Column<SentHeader>[] = [
  { title: 'Header', cell: ({ name }) => <code className="nowrap">{name}</code> },
  { title: 'Value', cell: ({ value }) => (value === null ? <None /> : <code>{value}</code>) },
  { title: 'Description', cell: ({ note }) => <span className="muted">{note}</span> },
];

/** The request as sent: the exact body, and the headers that can be derived. */
export function RequestCard({ delivery }: { delivery: Schema<'DeliveryDetail'> }) {
  const { request_body: body } = delivery;
  if (body === '')
    return (
      <Card title="Request">
        <p>The body was erased with the customer’s data. It can no longer be read or sent.</p>
      </Card>
    );
  return (
    <>
      <Card title="Body">
        <Body body={body} />
      </Card>
      <Card title="Headers of the latest attempt" isFlush>
        <DataTable
          caption="Headers of the latest attempt"
          columns={COLUMNS}
          rows={sentHeaders(delivery)}
          rowKey={({ name }) => name}
        />
      </Card>
    </>
  );
}

function Body({ body }: { body: string }) {
  const [isIndented, setIndented] = useState(false);
  return (
    <>
      <div className="row">
        <Button aria-pressed={isIndented} onClick={() => setIndented(!isIndented)}>
          Indent
        </Button>
        <CopyButton text={body} label="Copy as sent" />
        <span className="small muted">
          {isIndented
            ? 'Indented for reading. The signature covers the bytes as sent.'
            : 'The exact bytes of every attempt.'}
        </span>
      </div>
      <pre className="code delivery-body" tabIndex={0} aria-label="Body of the request">
        <code>{isIndented ? indented(body) : body}</code>
      </pre>
    </>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

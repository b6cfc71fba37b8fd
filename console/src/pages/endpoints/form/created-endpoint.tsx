import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Card } from '../../../ui/card';
import { Page } from '../../../ui/page';
import { Code, CopyButton, Id } from '../../../ui/values';
import { receiverSnippet } from './receiver-snippet';

/** Shows the secret of a new endpoint, once, and a receiver that verifies with it. */
export function CreatedEndpoint({ endpoint: { id, url, format, secret } }: { endpoint: Schema<'CreatedEndpoint'> }) {
  const heading = useRef<HTMLSpanElement>(null);
  // the form with the focus is gone
  useEffect(() => heading.current!.focus(), []);
  const snippet = receiverSnippet(location.origin, url!);
  return (
    <Page
      title="Endpoint created"
      heading={
        <span ref={heading} tabIndex={-1}>
          Endpoint created
        </span>
      }
      description={<span className="endpoint-origin">{url}</span>}
      actions={
        <Link className="button button-primary" to="/endpoints/$endpointId" params={{ endpointId: String(id) }}>
          Open the endpoint
        </Link>
      }
    >
      <Card title="Secret">
        <p>
          <Id value={secret} />
        </p>
        <p className="muted">
          Store it now: it is shown once. It signs every webhook of this endpoint, and your receiver verifies with it.
          Later, only who has the right to read webhook secrets sees it.
        </p>
      </Card>
      {format === 'json' && (
        <Card title="A receiver" actions={<CopyButton text={snippet} />}>
          <p className="muted">
            Start it with the secret in <code>WEBHOOK_SECRET</code>. Then send a test from the page of the endpoint.
          </p>
          <Code value={snippet} />
        </Card>
      )}
    </Page>
  );
}

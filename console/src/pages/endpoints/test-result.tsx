import type { Schema } from '@payment-orchestrator/client';
import { Code, Id } from '../../ui/values';
import { explain } from './endpoint-errors';

export function TestResult({ result }: { result: Schema<'WebhookTestResult'> }) {
  const { delivered, error, status_code: status } = result;
  const { what, toDo } = explain(error ?? String(status));
  return (
    <section aria-label="Result of the test" className="stack">
      <p className={`notice ${delivered ? 'notice-good' : 'notice-bad'}`}>
        <span>
          <strong>{status ?? error}</strong> in {result.duration_ms} ms: {what}
          {!delivered && toDo !== null && <>. To do: {toDo}</>}
        </span>
      </p>
      <p className="small">
        Signature sent: <Id value={result.signature} />
      </p>
      {result.response_body !== null && (
        <>
          <h3>Answer</h3>
          <Code value={result.response_body || '(empty)'} />
        </>
      )}
      <details>
        <summary className="small">Body sent</summary>
        <Code value={result.request_body} />
      </details>
    </section>
  );
}

import type { Schema } from '@payment-orchestrator/client';
import { Badge } from '../../ui/badge';
import { Code, Facts, Id, None } from '../../ui/values';
import { explain } from './endpoint-errors';

export function TestResult({ result }: { result: Schema<'WebhookTestResult'> }) {
  const { delivered, error, status_code: status } = result;
  const { what, toDo } = explain(error ?? String(status));
  return (
    <section aria-label="Result of the test" className="stack">
      <p className={`notice ${delivered ? 'notice-good' : 'notice-bad'}`}>
        <span>
          <Badge tone={delivered ? 'good' : 'bad'}>{status ?? error}</Badge> in {result.duration_ms} ms: {what}
          {!delivered && toDo !== null && <>. To do: {toDo}</>}
        </span>
      </p>
      <Facts
        facts={[
          ['Signature sent', <Id value={result.signature} />],
          ['Answer', result.response_body === null ? <None /> : <Code value={result.response_body || '(empty)'} />],
        ]}
      />
      <details>
        <summary className="small">Body sent</summary>
        <Code value={result.request_body} />
      </details>
    </section>
  );
}

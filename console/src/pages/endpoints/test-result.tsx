import type { Schema } from '@payment-orchestrator/client';
import { Code, CopyButton, Id } from '../../ui/values';
import { MeaningText } from '../deliveries/meaning-text';

/** The result of a test, the answer and the request. */
export function TestResult({ result }: { result: Schema<'WebhookTestResult'> }) {
  const { delivered, error, status_code: status, duration_ms: ms } = result;
  return (
    <section aria-label="Result of the test" className="stack">
      <div className={`notice ${delivered ? 'notice-good' : 'notice-bad'}`}>
        <div>
          <p>
            <strong>{delivered ? 'delivered' : 'not delivered'}</strong>: {status ?? error} in {ms} ms
          </p>
          {result.error_message !== null && <p>{result.error_message}</p>}
          <MeaningText attempt={result} />
        </div>
      </div>
      <p className="small">
        Signature sent: <Id value={result.signature} />
      </p>
      {result.response_body !== null && (
        <>
          <h3>Answer</h3>
          <Code value={result.response_body === '' ? '(an empty body)' : prettyJson(result.response_body)} />
        </>
      )}
      <details>
        <summary className="small">Body sent</summary>
        <CopyButton text={result.request_body} label="Copy as sent" />
        <Code value={prettyJson(result.request_body)} />
      </details>
    </section>
  );
}

/** Indents JSON; other text is returned unchanged. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

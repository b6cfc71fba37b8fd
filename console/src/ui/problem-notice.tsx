import { ConnectionError, ProblemError, UnexpectedAnswerError } from '@payment-orchestrator/client';

/** Shows an error of a request: the problem, the fields, and the request id for support. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null;
  return (
    <div className="notice notice-bad" role="alert">
      <ProblemText error={error} />
      {retry && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

function ProblemText({ error }: { error: unknown }) {
  if (error instanceof ProblemError) return <Refusal error={error} />;
  if (error instanceof ConnectionError) return <NoAnswer error={error} />;
  if (error instanceof UnexpectedAnswerError)
    return (
      <p>
        <strong>The service cannot be reached.</strong> A proxy or another program answered instead, with status{' '}
        {error.status}.
      </p>
    );
  return <p>{error instanceof Error ? error.message : String(error)}</p>;
}

/** A read is safe to repeat. After a write it is unknown whether the service has applied it. */
const NoAnswer = ({ error: { request } }: { error: ConnectionError }) => (
  <p>
    <strong>The service does not answer.</strong>{' '}
    {request.startsWith('GET ')
      ? 'It may be stopped or restarting, or your network may be down.'
      : 'Your change may or may not have been saved. Check before you try again.'}
  </p>
);

function Refusal({ error: { problem, fields, requestId, code } }: { error: ProblemError }) {
  return (
    <div>
      <p>
        <strong>{problem.title}</strong>
        {problem.detail !== undefined && `: ${problem.detail}`}
      </p>
      {fields.length > 0 && (
        <ul>
          {fields.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p className="small muted">
        <code>{code}</code> · request <code>{requestId}</code>
      </p>
    </div>
  );
}

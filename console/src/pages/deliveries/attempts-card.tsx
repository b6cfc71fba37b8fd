import type { Schema } from '@payment-orchestrator/client';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Code, None, Time } from '../../ui/values';
import { MeaningText } from './meaning-text';

type Attempt = Schema<'DeliveryAttempt'>;

export function AttemptsCard({ delivery }: { delivery: Schema<'DeliveryDetail'> }) {
  const { attempts, attempt_count: made } = delivery;
  if (attempts.length === 0)
    return (
      <Card title="Attempts">
        <p className="muted">
          {made === 0
            ? 'No attempts yet.'
            : `${made} attempts were made. Their details were deleted after the retention period.`}
        </p>
      </Card>
    );
  return (
    <Card title="Attempts" isFlush>
      <DataTable caption="Attempts, oldest first" columns={COLUMNS} rows={attempts} rowKey={({ number }) => number} />
    </Card>
  );
}

const COLUMNS: Column<Attempt>[] = [
  { title: 'Attempt', isNumber: true, cell: ({ number }) => number },
  { title: 'Started', cell: ({ started_at: time }) => <Time value={time} /> },
  { title: 'Duration', isNumber: true, cell: ({ duration_ms: ms }) => <span className="nowrap">{ms} ms</span> },
  { title: 'Answer', cell: (attempt) => <Answer {...attempt} /> },
  {
    title: 'Meaning',
    cell: (attempt) => (
      <>
        {attempt.error_message !== null && <p>{attempt.error_message}</p>}
        <MeaningText attempt={attempt} />
      </>
    ),
  },
  { title: 'Answer body', cell: ({ response_body: body }) => <AnswerBody body={body} /> },
];

function Answer({ status_code: status, error }: Attempt) {
  if (status === null) return <Badge tone="bad">{error ?? 'no answer'}</Badge>;
  return <Badge tone={status >= 200 && status < 300 ? 'good' : 'bad'}>{status}</Badge>;
}

const SHORT = 80;

function AnswerBody({ body }: { body: string | null }) {
  if (body === null || body === '') return <None />;
  if (body.length <= SHORT)
    return (
      <code>
        <bdi>{body}</bdi>
      </code>
    );
  return (
    <details>
      <summary>{body.length.toLocaleString()} characters</summary>
      <Code value={body} />
    </details>
  );
}

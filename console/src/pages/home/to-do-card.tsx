import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { EmptyState } from '../../ui/empty-state';
import { meaningOf, WhoGives } from '../../ui/missing-right';
import { PageLoading } from '../../ui/loading';
import { PageLink } from '../../ui/page-link';
import { ProblemNotice } from '../../ui/problem-notice';
import { actionOf, leftOutText, type Line, moneyText, timeText, titleOf, toneOf } from './to-do-text';

/** Work for a person, by deadline. */
export function ToDoCard() {
  const { data, error, refetch } = useQuery({
    queryKey: ['to-do'],
    queryFn: ({ signal }) => api.get('/insights/to-do', { signal }),
  });
  useLiveRefresh(['to-do']);
  if (!data) return error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <PageLoading />;
  const { at, lines, left_out: leftOut } = data.data;
  return (
    <section aria-label="To do">
      <ProblemNotice error={error} retry={() => void refetch()} />
      {lines.length === 0 ? (
        <EmptyState title="Nothing waits">
          <p>Deadlines, alarms and what does not work appear here.</p>
        </EmptyState>
      ) : (
        <ul className="to-do">
          {lines.map((line) => (
            <ToDoItem
              key={`${line.kind} ${line.link.path} ${line.link.query['value'] ?? ''}`}
              line={line}
              now={Date.parse(at)}
            />
          ))}
        </ul>
      )}
      <LeftOut leftOut={leftOut} />
    </section>
  );
}

const ToDoItem = ({ line, now }: { line: Line; now: number }) => (
  <li className={`to-do-line to-do-${toneOf(line, now)}`}>
    <div className="to-do-what">
      <strong>{titleOf(line)}</strong>
      <span className="muted small">{timeText(line, now)}</span>
    </div>
    <span className="to-do-money number">{moneyText(line)}</span>
    <PageLink to={line.link.path} search={line.link.query} className="button to-do-action">
      {actionOf(line)}
    </PageLink>
  </li>
);

const LeftOut = ({ leftOut }: { leftOut: Schema<'LeftOut'>[] }) =>
  leftOut.length > 0 && (
    <p className="muted small">
      Not shown:{' '}
      {leftOut.map((each, index) => (
        <span key={each.kind}>
          {index > 0 && '; '}
          {leftOutText(each)}, which needs the right to {meaningOf(each.scope)}
        </span>
      ))}
      . <WhoGives />
    </p>
  );

import './rollouts.css';
import { useQuery } from '@tanstack/react-query';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { PageLoading } from '../../../ui/loading';
import { ProblemNotice } from '../../../ui/problem-notice';
import { RolloutCard } from './rollout-card';
import { rolloutQuery } from './rollout-queries';

interface Props {
  flowId: number;
  id: number;
  /** Called before the rollout ends, so that it stays on the page. */
  onEnding: () => void;
  takesFocus: boolean;
}

/** One rollout, running or ended, with its comparison. */
export function ShownRollout({ flowId, id, onEnding, takesFocus }: Props) {
  const query = rolloutQuery(flowId, id);
  const { data, dataUpdatedAt, error, refetch } = useQuery(query);
  useLiveRefresh(query.queryKey, { isEnabled: data?.status === 'running' });
  return (
    <>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {data ? (
        <RolloutCard rollout={data} readAt={dataUpdatedAt} onEnding={onEnding} takesFocus={takesFocus} />
      ) : (
        !error && <PageLoading />
      )}
    </>
  );
}

import type { Schema } from '@payment-orchestrator/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { Curve } from '../../../ui/curve';
import { percentText } from '../../../ui/percent';
import { ProblemNotice } from '../../../ui/problem-notice';

const PATH = '/flows/{id}/rollouts/{rolloutId}/over-time';
/** An hour changes slowly, and its payments may be many. */
const PAUSE_MS = 30_000;
const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

type Rollout = Pick<Schema<'Rollout'>, 'id' | 'flow_id' | 'version' | 'base_version' | 'status'>;
type Outcomes = Schema<'StepOutcomes'>;

/** The approval rates of both versions since the rollout began. */
export function RolloutCurve({ rollout }: { rollout: Rollout }) {
  const { id: rolloutId, flow_id: id, version, base_version: base, status } = rollout;
  const { data, error, refetch } = useQuery({
    queryKey: [PATH, id, rolloutId],
    queryFn: async ({ signal }) => (await api.get(PATH, { params: { path: { id, rolloutId } }, signal })).data,
    placeholderData: keepPreviousData,
  });
  useLiveRefresh([PATH, id, rolloutId], { isEnabled: status === 'running', pauseMs: PAUSE_MS });
  if (data === undefined) return <ProblemNotice error={error} retry={() => void refetch()} />;
  const { step, steps } = data;
  const format = step === 'hour' ? hour : day;
  const lineOf = (role: 'base' | 'candidate', name: string, color: string) => ({
    label: name,
    color,
    values: steps.map(({ [role]: outcomes }) => rateOf(outcomes)),
  });
  return (
    <Curve
      label={`Approval rates of versions ${base} and ${version} by ${step}`}
      points={steps.map(({ at }) => format.format(new Date(at)))}
      lines={[
        lineOf('base', `Version ${base}, active`, 'var(--series-5)'),
        lineOf('candidate', `Version ${version}, rolled out`, 'var(--series-1)'),
      ]}
      valueText={percentText}
      minStep={0.01}
      isCropped
      table={step === 'hour' ? 'Hour from' : 'Day from'}
    />
  );
}

const rateOf = ({ approved, declined }: Outcomes): number | null =>
  approved + declined === 0 ? null : approved / (approved + declined);

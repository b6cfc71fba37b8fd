import type { Schema } from '@payment-orchestrator/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { Curve } from '../../ui/curve';
import { percentText } from '../../ui/percent';
import { ProblemNotice } from '../../ui/problem-notice';

interface Props {
  /** The attempts that the curve is about, in words. */
  of: string;
  /** The filters of the API. */
  query: Record<string, string | number | undefined>;
}

const PATH = '/insights/approvals/over-time';
/** An hour changes slowly, and the counts may be many. */
const PAUSE_MS = 30_000;
const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The approval rate by hour or day, with that of the period before. */
export function ApprovalsCurve({ of, query }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: [PATH, query],
    queryFn: async ({ signal }) => (await api.get(PATH, { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  });
  useLiveRefresh([PATH], { pauseMs: PAUSE_MS });
  if (data === undefined) return <ProblemNotice error={error} retry={() => void refetch()} />;
  const format = data.step === 'hour' ? hour : day;
  const before = data.steps.map((step) => step.before && rateOf(step.before));
  return (
    <Curve
      label={`Approval rate of ${of} by ${data.step}`}
      points={data.steps.map(({ at }) => format.format(new Date(at)))}
      lines={[
        ...(before.some((rate) => rate !== null)
          ? [{ label: 'period before', color: 'var(--series-5)', values: before, isDashed: true }]
          : []),
        { label: 'this period', color: 'var(--series-1)', values: data.steps.map(rateOf) },
      ]}
      valueText={percentText}
      minStep={0.01}
      isCropped
      table={data.step === 'hour' ? 'Hour' : 'Day in UTC'}
    />
  );
}

/** A long log is not read as a whole, so a correction may be counted before the outcome that it corrects. */
function rateOf({ approved, declined, failed }: Schema<'StepCounts'>): number | null {
  const ended = approved + declined + failed;
  return ended <= 0 ? null : Math.min(1, Math.max(0, approved / ended));
}

import { ProblemError } from '@payment-orchestrator/client';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { PageLoading } from '../../../ui/loading';
import type { ShopNames } from '../flow-queries';
import { BacktestResult } from './backtest-result';
import { LiveNotice } from './live-notice';
import { countOf } from './texts';
import type { useBacktest } from './use-backtest';

interface Props extends ReturnType<typeof useBacktest> {
  nameOf: ShopNames;
}

const LIMITS = [1_000, 10_000, 100_000];

/** Shows how the draft would have routed the flow's last payments. */
export function Backtest({ limit, setLimit, live, nameOf }: Props) {
  const { result, ms, isBusy, error } = live;
  return (
    <Card
      title="Backtest"
      actions={
        <span className="small muted number" role="status" data-busy={isBusy || undefined}>
          {isBusy ? 'Running …' : ms !== undefined && !error && `Updated in ${countOf(Math.round(ms))} ms`}
        </span>
      }
    >
      <Select
        label="Payments to test"
        options={LIMITS.map((count) => ({ value: String(count), label: `Last ${countOf(count)} payments` }))}
        value={String(limit)}
        onChange={({ target }) => setLimit(Number(target.value))}
      />
      <LiveNotice live={live} />
      {!result && !error && <PageLoading />}
      {result && (
        <div className={error instanceof ProblemError ? 'stack stale' : 'stack'}>
          <BacktestResult result={result} nameOf={nameOf} />
        </div>
      )}
    </Card>
  );
}

import type { Schema } from '@payment-orchestrator/client';
import type { ReactNode } from 'react';
import { useCan } from '../../../api/session';
import { Badge, type Tone } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { StepBy } from '../../../ui/step-by';
import { useDialog } from '../../../ui/use-dialog';
import { Facts } from '../../../ui/values';
import { AbortDialog, PercentDialog, PromoteDialog } from './change-dialogs';
import { ComparisonView } from './comparison-view';
import { GuardrailView } from './guardrail-view';
import { conditionText, endText, keyText, percentOf } from './rollout-texts';
import { StagesView } from './stages-view';

type Rollout = Schema<'ComparedRollout'>;

interface Props {
  rollout: Rollout;
  /** Called before the rollout ends, so that it stays on the page. */
  onEnding: () => void;
}

export const STATUS_TONES: Record<Rollout['status'], Tone> = { running: 'info', promoted: 'good', aborted: 'warn' };

/** A rollout with the results of both versions. */
export function RolloutCard({ rollout, onEnding }: Props) {
  const { version, percent, status, comparison, stages } = rollout;
  const isRunning = status === 'running';
  return (
    <Card
      title={
        <>
          {isRunning
            ? `Version ${version} gets ${percentOf(percent)} of the payments`
            : `Rollout of version ${version}`}{' '}
          <Badge tone={STATUS_TONES[status]}>{isRunning ? 'running' : endText(rollout)}</Badge>
        </>
      }
      actions={isRunning && <Actions rollout={rollout} onEnding={onEnding} />}
    >
      <Facts facts={factsOf(rollout)} />
      <ComparisonView comparison={comparison} />
      <div className="columns">
        <GuardrailView rollout={rollout} />
        <StagesView stages={stages} />
      </div>
    </Card>
  );
}

function Actions({ rollout, onEnding }: Props) {
  const changing = useDialog();
  const promoting = useDialog();
  const aborting = useDialog();
  if (!useCan('flows:activate'))
    return (
      <p className="small muted">
        To change it, a client needs the scope <code>flows:activate</code>.
      </p>
    );
  return (
    <>
      <Button onClick={() => changing.open()}>Change percent …</Button>
      <Button onClick={() => promoting.open()}>Promote …</Button>
      <Button onClick={() => aborting.open()}>Abort …</Button>
      {changing.isOpen && <PercentDialog rollout={rollout} onClose={changing.close} />}
      {promoting.isOpen && <PromoteDialog rollout={rollout} onDone={onEnding} onClose={promoting.close} />}
      {aborting.isOpen && <AbortDialog rollout={rollout} onDone={onEnding} onClose={aborting.close} />}
    </>
  );
}

function factsOf({ key, when, reason, started_at, started_by, ...end }: Rollout): [string, ReactNode][] {
  const started = <StepBy at={started_at} by={started_by} reason={reason} />;
  const { ended_at: at, ended_by: by, end_reason: endReason } = end;
  return [
    ['Started', started],
    ...(at === null
      ? []
      : [['Ended', <StepBy key="ended" at={at} by={by} reason={endReason} />] as [string, ReactNode]]),
    ['Payments that take part', when === null ? 'all' : conditionText(when)],
    ['Divided', keyText(key)],
  ];
}

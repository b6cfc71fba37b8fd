import type { Schema } from '@payment-orchestrator/client';
import { paymentsWords } from '@payment-orchestrator/routing/words/condition-words';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
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
import { RolloutCurve } from './rollout-curve';
import { endText, keyText, percentOf } from './rollout-texts';
import { StagesView } from './stages-view';
import { MissingRight } from '../../../ui/missing-right';

type Rollout = Schema<'ComparedRollout'>;

interface Props {
  rollout: Rollout;
  /** When it was read, in ms since 1970. */
  readAt: number;
  /** Called before the rollout ends, so that it stays on the page. */
  onEnding: () => void;
  /** Whether the user has just chosen it from the list below. */
  takesFocus: boolean;
}

export const STATUS_TONES: Record<Rollout['status'], Tone> = { running: 'info', promoted: 'good', aborted: 'warn' };

/** A rollout with the results of both versions. Screen readers announce a new percent, and its end. */
export function RolloutCard({ rollout, readAt, onEnding, takesFocus }: Props) {
  const { version, percent, status, comparison, stages } = rollout;
  const isRunning = status === 'running';
  const title = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (takesFocus) title.current!.focus();
  }, [takesFocus]);
  return (
    <Card
      title={
        <span ref={title} tabIndex={-1} aria-live="polite" aria-atomic="true">
          {isRunning
            ? `Version ${version} gets ${percentOf(percent)} of the payments`
            : `Rollout of version ${version}`}{' '}
          <Badge tone={STATUS_TONES[status]}>{isRunning ? 'running' : endText(rollout)}</Badge>
        </span>
      }
      actions={<Actions rollout={rollout} onEnding={onEnding} title={title} />}
    >
      <Facts facts={factsOf(rollout)} />
      <ComparisonView comparison={comparison} />
      <RolloutCurve rollout={rollout} />
      <div className="columns">
        <GuardrailView rollout={rollout} readAt={readAt} />
        <StagesView stages={stages} />
      </div>
    </Card>
  );
}

interface ActionsProps extends Pick<Props, 'rollout' | 'onEnding'> {
  title: RefObject<HTMLElement | null>;
}

/** The changes of a running rollout. An open dialog stays when the rollout ends. */
function Actions({ rollout, onEnding, title }: ActionsProps) {
  const changing = useDialog();
  const promoting = useDialog();
  const aborting = useDialog();
  const mayChange = useCan('flows:activate');
  const isRunning = rollout.status === 'running';
  if (isRunning && !mayChange)
    return (
      <p className="small muted">
        <MissingRight scope="flows:activate" />
      </p>
    );
  return (
    <>
      {isRunning && (
        <PassingButtons next={title}>
          <Button onClick={() => changing.open()}>Change percent …</Button>
          <Button onClick={() => promoting.open()}>Promote …</Button>
          <Button onClick={() => aborting.open()}>Abort …</Button>
        </PassingButtons>
      )}
      {changing.isOpen && <PercentDialog rollout={rollout} onClose={changing.close} />}
      {promoting.isOpen && <PromoteDialog rollout={rollout} onDone={onEnding} onClose={promoting.close} />}
      {aborting.isOpen && <AbortDialog rollout={rollout} onDone={onEnding} onClose={aborting.close} />}
    </>
  );
}

/** Buttons that may disappear by themselves. If one of them has the focus then, `next` gets it. */
function PassingButtons({ next, children }: { next: RefObject<HTMLElement | null>; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // a layout effect, because the focus is known only while the buttons are still on the page
  useLayoutEffect(() => {
    const [buttons, target] = [box.current!, next.current];
    return () => {
      if (buttons.contains(document.activeElement)) target?.focus();
    };
  }, [next]);
  return (
    <div ref={box} className="actions">
      {children}
    </div>
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
    ['Payments that take part', when === null ? 'all' : paymentsWords(when)],
    ['Divided', keyText(key)],
  ];
}

import type { Schema } from '@payment-orchestrator/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { fieldError } from '../../../ui/field-errors';
import { flowChanged, flowQuery, savingKey, type ShopNames } from '../flow-queries';
import type { Payment } from '../model/counterexample';
import { StartRolloutDialog } from '../rollouts/start-rollout-dialog';
import { ChangeView } from '../versions/change-view';
import type { Candidate } from './candidate';
import { CandidateBacktest } from './candidate-backtest';
import { reasonIn } from './reason';
import { ReasonField } from './reason-field';
import { OtherActivation } from './other-activation';
import { codeOf, Refusal } from './refusal';

interface Props {
  flow: Schema<'Flow'>;
  active: Schema<'FlowVersion'>;
  candidate: Candidate;
  /** The version that was active when the user began. */
  base: number;
  onRebase: (base: number) => void;
  nameOf: ShopNames;
  /** Called with the version that is active now. */
  onActivated: (version: number) => Promise<void>;
  /** Called when a rollout of the candidate has started. */
  onStarted: () => Promise<void>;
  onRefused?: (error: unknown) => void;
  /** Shows a payment in the simulator. */
  onTry?: (payment: Payment) => void;
  onClose: () => void;
}

/** Activates a version for all payments, or for a part of them. */
export function ActivateDialog(props: Props) {
  const { flow, candidate, base, nameOf, onStarted, onRefused, onTry, onClose } = props;
  const [reason, setReason] = useState('');
  const [isPart, setPart] = useState(false);
  // when another version becomes active, the user sees its changes first
  if (isPart && flow.version === base)
    return <StartRolloutDialog {...{ flow, candidate, base, reason, nameOf, onStarted, onRefused, onTry, onClose }} />;
  return <ForAllDialog {...props} reason={reason} onReason={setReason} onPart={() => setPart(true)} />;
}

interface ForAllProps extends Props {
  reason: string;
  onReason: (reason: string) => void;
  onPart: () => void;
}

/**
 * Shows what changes for new payments, and what would have changed for the last ones. Unsaved changes are stored and
 * activated in one request. It succeeds only while their base version is the active one, so that an activation by another
 * user is not undone by accident.
 */
function ForAllDialog(props: ForAllProps) {
  const { flow, active, candidate, base, onRebase, nameOf, onActivated, onRefused, onTry, onClose } = props;
  const { reason, onReason, onPart } = props;
  const { isFetching } = useQuery({ ...flowQuery(flow.id), refetchOnMount: 'always' });
  const { mutate, error, isPending } = useMutation({
    mutationKey: savingKey(flow.id),
    mutationFn: () => activate(flow.id, candidate, { based_on_version: base, ...reasonIn(reason) }),
    onSuccess: async ({ data: { version } }) => {
      await onActivated(version);
      onClose();
    },
    onError: async (refusal) => {
      onRefused?.(refusal);
      if (REREAD.has(codeOf(refusal))) await flowChanged();
    },
  });
  const title = titleOf(candidate);
  const isOther = flow.version !== base;
  const isUnavailable = isOther || flow.rollout !== null;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel="Cancel"
      danger={isOther ? `version ${flow.version}` : title}
      actions={
        <>
          <Button isUnavailable={isUnavailable || isPending} isBusy={isFetching} onClick={onPart}>
            Roll out to a part …
          </Button>
          <Button
            variant="primary"
            isUnavailable={isUnavailable}
            isBusy={isPending || isFetching}
            onClick={() => mutate()}
          >
            {candidate.isRetired ? 'Roll back' : 'Activate for all'}
          </Button>
        </>
      }
    >
      <p>
        New payments of <bdi>{flow.name}</bdi> use this version immediately. Existing payments keep their shops.
      </p>
      {flow.rollout && <RunningNotice flowId={flow.id} rollout={flow.rollout} onClose={onClose} />}
      {isOther && active.version === flow.version && (
        <OtherActivation active={active} base={base} onRebase={onRebase} flowId={flow.id} nameOf={nameOf} />
      )}
      <h3>Changes</h3>
      <ChangeView
        from={active.definition}
        to={candidate.definition}
        caption={`Changes from version ${active.version}`}
        none="There is no difference to the active version."
        nameOf={nameOf}
      />
      <CandidateBacktest flowId={flow.id} definition={candidate.definition} nameOf={nameOf} />
      <ReasonField value={reason} onChange={onReason} error={fieldError(error, 'reason')} />
      <Refusal error={error} nameOf={nameOf} onTry={onTry} />
    </Dialog>
  );
}

/** After these refusals, the flow is not as this page shows it. */
const REREAD: ReadonlySet<unknown> = new Set(['flow_changed', 'flow_rollout_running']);

interface NoticeProps {
  flowId: number;
  rollout: NonNullable<Schema<'Flow'>['rollout']>;
  onClose: () => void;
}

const RunningNotice = ({ flowId, rollout: { version }, onClose }: NoticeProps) => (
  <div className="notice notice-warn" role="alert">
    <p>
      <strong>A rollout of version {version} is running.</strong> Promote or abort it before another version becomes
      active.
    </p>
    <Link to="/flows/$flowId" params={{ flowId: String(flowId) }} search={{ tab: 'rollouts' }} onClick={onClose}>
      Open the rollout
    </Link>
  </div>
);

function titleOf({ version, isRetired }: Candidate): string {
  if (version === undefined) return 'Save and activate';
  return isRetired ? `Roll back to version ${version}` : `Activate version ${version}`;
}

function activate(id: number, { version, definition }: Candidate, options: Schema<'ActivateVersion'>) {
  if (version !== undefined) {
    const params = { path: { id, version } };
    return api.post('/flows/{id}/versions/{version}/activate', { params, body: options });
  }
  // defaults are sent, because fields that are missing in the request keep their old values
  const defaults = { max_attempts: 1, capture: 'automatic' as const, assertions: [] };
  return api.patch('/flows/{id}', { params: { path: { id } }, body: { ...defaults, ...definition, ...options } });
}

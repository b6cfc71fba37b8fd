import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { reasonIn } from '../activation/reason';
import { ReasonField } from '../activation/reason-field';
import { Refusal } from '../activation/refusal';
import { flowChanged } from '../flow-queries';
import { numberOf } from '../model/values';
import { endText } from './rollout-texts';

type Rollout = Schema<'Rollout'>;

interface Props {
  rollout: Rollout;
  onClose: () => void;
}

const paramsOf = ({ flow_id: id, id: rolloutId }: Rollout) => ({ path: { id, rolloutId } });

/** Begins the next stage with another percent. */
export function PercentDialog({ rollout, onClose }: Props) {
  const [percent, setPercent] = useState(String(rollout.percent));
  const send = (reason: string) => {
    // a typed number may be invalid: the API then reports the error at the field
    const body = { percent: numberOf(percent) as number, ...reasonIn(reason) };
    return api.patch('/flows/{id}/rollouts/{rolloutId}', { params: paramsOf(rollout), body });
  };
  return (
    <ChangeDialog
      rollout={rollout}
      title="Change the percent"
      action="Change"
      send={send}
      onDone={onClose}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            New payments are divided by the new percent at once. Raising it moves no customer back to version{' '}
            {rollout.base_version}. 0 pauses the rollout.
          </p>
          <TextField
            label={`Percent of the payments for version ${rollout.version}`}
            inputMode="decimal"
            value={percent}
            error={fieldError(error, 'percent')}
            onChange={({ target }) => setPercent(target.value)}
          />
        </>
      )}
    </ChangeDialog>
  );
}

/** Activates the rolled out version for all payments. */
export function PromoteDialog({ rollout, onDone, onClose }: Props & { onDone: () => void }) {
  const send = (reason: string) =>
    api.post('/flows/{id}/rollouts/{rolloutId}/promote', { params: paramsOf(rollout), body: reasonIn(reason) });
  return (
    <ChangeDialog
      rollout={rollout}
      title={`Promote version ${rollout.version}`}
      action="Activate for all"
      send={send}
      onDone={onDone}
      onClose={onClose}
    >
      {() => <p>All new payments use version {rollout.version} immediately. This ends the rollout.</p>}
    </ChangeDialog>
  );
}

/** Gives all payments the active version again. */
export function AbortDialog({ rollout, onDone, onClose }: Props & { onDone: () => void }) {
  const send = (reason: string) =>
    api.post('/flows/{id}/rollouts/{rolloutId}/abort', { params: paramsOf(rollout), body: reasonIn(reason) });
  return (
    <ChangeDialog
      rollout={rollout}
      title="Abort the rollout"
      action="Abort"
      isDanger
      send={send}
      onDone={onDone}
      onClose={onClose}
    >
      {() => (
        <p>
          All new payments use version {rollout.base_version} again, immediately. Version {rollout.version} is kept, and
          can be rolled out again.
        </p>
      )}
    </ChangeDialog>
  );
}

interface ChangeProps extends Props {
  title: string;
  /** The label of the button that makes the change. */
  action: string;
  isDanger?: boolean;
  send: (reason: string) => Promise<unknown>;
  onDone: () => void;
  /** The text and fields, for the error of the last try. */
  children: (error: unknown) => ReactNode;
}

/**
 * A change of a running rollout, with a reason. It stays open after an error, so that the user can try again, and when the
 * rollout ends meanwhile, so that the user learns why.
 */
function ChangeDialog(props: ChangeProps) {
  const { rollout, title, action, isDanger = false, send, onDone, onClose, children } = props;
  const [reason, setReason] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => send(reason),
    onSuccess: async () => {
      onDone();
      await flowChanged();
      onClose();
    },
    // it may have ended meanwhile
    onError: flowChanged,
  });
  const hasEnded = rollout.status !== 'running' && !isPending;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel="Cancel"
      danger={title}
      actions={
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          isBusy={isPending}
          isUnavailable={hasEnded}
          onClick={() => mutate()}
        >
          {action}
        </Button>
      }
    >
      {hasEnded && (
        <p className="notice notice-warn" role="alert">
          The rollout has ended meanwhile: {endText(rollout)}.
        </p>
      )}
      {children(error)}
      <ReasonField value={reason} onChange={setReason} error={fieldError(error, 'reason')} />
      <Refusal error={error} nameOf={String} />
    </Dialog>
  );
}

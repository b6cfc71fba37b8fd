import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { fieldError } from '../../../ui/field-errors';
import { flowChanged, type ShopNames } from '../flow-queries';
import { ChangeView } from '../versions/change-view';
import { CandidateBacktest } from './candidate-backtest';
import { reasonIn } from './reason';
import { ReasonField } from './reason-field';
import { Refusal } from './refusal';

interface Props {
  flow: Schema<'Flow'>;
  active: Schema<'FlowVersion'>;
  version: Schema<'FlowVersion'>;
  nameOf: ShopNames;
  onClose: () => void;
}

/** Approves a version of another client, after its changes and its backtest. Payments do not use it yet. */
export function ApproveDialog({ flow, active, version: { version, definition }, nameOf, onClose }: Props) {
  const [reason, setReason] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const params = { path: { id: flow.id, version } };
      return api.post('/flows/{id}/versions/{version}/approve', { params, body: reasonIn(reason) });
    },
    onSuccess: async () => {
      await flowChanged();
      onClose();
    },
  });
  const title = `Approve version ${version}`;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel="Cancel"
      danger={title}
      actions={
        <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
          Approve
        </Button>
      }
    >
      <p>After your approval, anyone with the right to activate flows can use this version for payments.</p>
      <h3>Changes</h3>
      <ChangeView
        from={active.definition}
        to={definition}
        caption={`Changes from version ${active.version}`}
        none="There is no difference to the active version."
        nameOf={nameOf}
      />
      <CandidateBacktest flowId={flow.id} definition={definition} nameOf={nameOf} />
      <ReasonField value={reason} onChange={setReason} error={fieldError(error, 'reason')} />
      <Refusal error={error} nameOf={nameOf} />
    </Dialog>
  );
}

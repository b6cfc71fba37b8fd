import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { FormDialog } from '../../../ui/form-dialog';
import { reasonIn } from '../activation/reason';
import { flowChanged } from '../flow-queries';

interface Props {
  flowId: number;
  version: Schema<'FlowVersion'>;
  /** `reject`: by a colleague, with a reason. `withdraw`: by those who asked. */
  end: 'reject' | 'withdraw';
  onClose: () => void;
}

const TEXTS = {
  reject: { title: 'Reject', effect: 'The draft stays. Its author can change it and ask again.' },
  withdraw: { title: 'Withdraw the request', effect: 'No one is asked any longer. The draft stays.' },
};

/** Ends a request for an approval without one. */
export function EndRequestDialog({ flowId, version: { version }, end, onClose }: Props) {
  const [reason, setReason] = useState('');
  const params = { path: { id: flowId, version } };
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      end === 'reject'
        ? api.post('/flows/{id}/versions/{version}/reject', { params, body: { reason: reason.trim() } })
        : api.post('/flows/{id}/versions/{version}/approval-requests/withdraw', { params, body: reasonIn(reason) }),
    onSuccess: async () => {
      await flowChanged();
      onClose();
    },
  });
  const { title, effect } = TEXTS[end];
  return (
    <FormDialog
      title={title}
      action={title}
      onSubmit={() => mutate()}
      onClose={onClose}
      isBusy={isPending}
      error={error}
    >
      <p>{effect}</p>
      <TextField
        label="Reason"
        hint={end === 'reject' ? 'The author sees it on this page.' : 'Optional.'}
        required={end === 'reject'}
        maxLength={500}
        value={reason}
        error={fieldError(error, 'reason')}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  );
}

import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ProblemNotice } from '../../ui/problem-notice';
import { ACTION_LABELS, consequences, resultOf } from './actions';
import type { Done } from './changes/change-dialog';

type Payment = Schema<'Payment'>;

interface Props {
  action: 'cancel' | 'sync';
  payment: Payment;
  close: () => void;
  done: (result: Done, payment: Payment) => void;
  onError: () => void;
}

/** Explains the action and asks for confirmation. It stays open after an error, so that the user can try again. */
export function ActionDialog({ action, payment, close, done, onError }: Props) {
  const params = { path: { id: payment.id } };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      action === 'cancel' ? api.post('/payments/{id}/cancel', { params }) : api.post('/payments/{id}/sync', { params }),
    onSuccess: ({ data }) => done({ text: resultOf(action, payment.status, data.status) }, data),
    onError,
  });
  const label = `${ACTION_LABELS[action]} payment ${payment.id}`;
  const isDanger = action === 'cancel';
  return (
    <Dialog
      title={`${label}?`}
      onClose={close}
      danger={isDanger ? label : undefined}
      actions={
        <Button variant={isDanger ? 'danger' : 'primary'} isBusy={isPending} onClick={() => mutate()}>
          {label}
        </Button>
      }
    >
      {consequences(action, payment).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <ProblemNotice error={error} />
    </Dialog>
  );
}

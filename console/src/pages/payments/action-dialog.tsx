import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextArea } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { ProblemNotice } from '../../ui/problem-notice';
import { money } from '../../ui/money';
import { ACTION_LABELS, type ActionName, consequences, resultOf } from './actions';

type Payment = Schema<'Payment'>;

interface Props {
  action: ActionName;
  payment: Payment;
  close: () => void;
  done: (payment: Payment, result: string) => void;
}

/** Explains the action and asks for confirmation. It stays open after an error, so that the user can try again. */
export function ActionDialog({ action, payment, close, done }: Props) {
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => execute(action, payment.id, reason.trim()),
    onSuccess: (now) => done(now, resultOf(action, payment.status, now.status)),
  });
  const isRefund = action === 'refund';
  const amount = money(isRefund ? payment.amount_captured - payment.amount_refunded : payment.amount, payment.currency);
  const label = isRefund ? `Refund ${amount}` : `${ACTION_LABELS[action]} payment ${payment.id}`;
  return (
    <Dialog
      title={`${label}?`}
      onClose={close}
      actions={
        <Button variant={action === 'sync' ? 'primary' : 'danger'} isBusy={isPending} onClick={() => mutate()}>
          {label}
        </Button>
      }
    >
      {consequences(action, payment, amount).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {action === 'refund' && (
        <TextArea
          label="Reason"
          hint="Optional. It may be sent to the provider."
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          error={fieldError(error, 'reason')}
        />
      )}
      <ProblemNotice error={error} />
    </Dialog>
  );
}

async function execute(action: ActionName, id: number, reason: string): Promise<Payment> {
  const params = { path: { id } };
  if (action === 'cancel') return (await api.post('/payments/{id}/cancel', { params })).data;
  if (action === 'sync') return (await api.post('/payments/{id}/sync', { params })).data;
  return (await api.post('/payments/{id}/refund', { params, body: reason === '' ? {} : { reason } })).data;
}

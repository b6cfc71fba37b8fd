import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { amountProblem, amountText } from '../../../ui/amount';
import { TextArea, TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { money } from '../../../ui/money';
import { Facts, Money } from '../../../ui/values';
import { amountLeft, providerOf, webhookSentence } from '../actions';
import { isDisputed, refundProblem } from './amount-limits';
import { ChangeDialog, type Done } from './change-dialog';
import { newKey } from './new-key';

type Refund = Schema<'Refund'>;

interface Props {
  payment: Schema<'Payment'>;
  close: () => void;
  done: (result: Done) => void;
  onError: () => void;
}

/** Refunds a part of a payment, or the rest. Every request of one dialog has the same idempotency key: it refunds once. */
export function RefundDialog({ payment, close, done, onError }: Props) {
  const { id, currency, amount_captured: captured, amount_refunded: refunded } = payment;
  const [key] = useState(newKey);
  const [text, setText] = useState(() => amountText(amountLeft(payment), currency));
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isSure, setSure] = useState(false);
  const { mutate, isPending, isIdle, error } = useMutation({
    mutationFn: (body: Schema<'CreateRefund'>) =>
      api.post('/payments/{id}/refunds', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body }),
    onSuccess: ({ data }) => done(resultOf(data)),
    onError,
  });
  // after the first request the amount left may already be without this refund, and the API checks the amount
  const problem = isIdle ? refundProblem(text, payment) : amountProblem(text, currency);
  const needsConfirm = problem === undefined && isDisputed(text, payment);
  const send = (): void => {
    setChecked(true);
    if (problem !== undefined) return;
    const given = reason.trim() !== '' && { reason: reason.trim() };
    mutate({ amount: Number(text), ...given, ...(needsConfirm && { confirm: true }) });
  };
  return (
    <ChangeDialog
      title={`Refund payment ${id}?`}
      action={problem === undefined ? `Refund ${money(Number(text), currency)}` : 'Refund'}
      onAction={send}
      onClose={close}
      isBusy={isPending}
      isDisabled={needsConfirm && !isSure}
      error={error}
      unanswered="Refund again in this dialog: the amount is never refunded twice. Or close it and look for the refund in the list."
    >
      <Facts
        facts={[
          ['Captured', <Money key="captured" amount={captured} currency={currency} />],
          ['Refunded', <Money key="refunded" amount={refunded} currency={currency} />],
          ['Disputed', <Money key="disputed" amount={payment.disputed_amount} currency={currency} />],
          ['Left', <Money key="left" amount={amountLeft(payment)} currency={currency} />],
        ]}
      />
      <p>The service asks {providerOf(payment)} to refund the amount. This cannot be undone.</p>
      <TextField
        label={`Amount in ${currency}`}
        hint="The remaining amount, or a part of it."
        inputMode="decimal"
        value={text}
        onChange={({ target }) => setText(target.value)}
        error={(isChecked ? problem : undefined) ?? fieldError(error, 'amount')}
      />
      <TextArea
        label="Reason"
        hint="Optional. It may be sent to the provider."
        rows={2}
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={fieldError(error, 'reason')}
      />
      {needsConfirm && (
        <label className="check">
          <input type="checkbox" checked={isSure} onChange={({ target }) => setSure(target.checked)} />
          Refund it anyway: the payment is disputed, and the payer may get the money twice.
        </label>
      )}
      <p>The payment becomes refunded when the whole captured amount is refunded. {webhookSentence(payment)}</p>
    </ChangeDialog>
  );
}

/** The state of the refund, in a sentence. */
function resultOf({ id, amount, currency, status, failure_code: code }: Refund): Done {
  const refund = `Refund ${id} of ${money(amount, currency)}`;
  if (status === 'succeeded') return { text: `${refund} has succeeded.` };
  if (status === 'pending') return { text: `${refund} is pending. The provider reports the outcome later.` };
  const why = code === null ? '' : `: ${code}`;
  return { text: `${refund} has failed${why}. The amount can be refunded again.`, isFailure: true };
}

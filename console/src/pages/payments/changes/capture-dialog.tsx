import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { amountText, difference } from '../../../ui/amount';
import { TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { money } from '../../../ui/money';
import { Facts, Money, Time } from '../../../ui/values';
import { providerOf, resultOf, webhookSentence } from '../actions';
import { captureProblem } from './amount-limits';
import { ChangeDialog, type Done } from './change-dialog';

type Payment = Schema<'Payment'>;

interface Props {
  payment: Payment;
  close: () => void;
  done: (result: Done, payment: Payment) => void;
  onError: () => void;
}

/** Captures all or a part of an authorised amount. A repeat with the same amount is the same capture. */
export function CaptureDialog({ payment, close, done, onError }: Props) {
  const { id, currency, amount_authorized: authorized, amount_captured: captured, capture_before: before } = payment;
  const [text, setText] = useState(() => amountText(authorized, currency));
  const [isChecked, setChecked] = useState(false);
  const problem = captureProblem(text, payment);
  const amount = Number(text);
  const rest = problem === undefined ? difference(authorized, amount, currency) : 0;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post('/payments/{id}/capture', { params: { path: { id } }, body: { amount } }),
    onSuccess: ({ data }) => done({ text: resultOf('capture', payment.status, data.status) }, data),
    onError,
  });
  const send = (): void => {
    setChecked(true);
    if (problem === undefined) mutate();
  };
  return (
    <ChangeDialog
      title={`Capture payment ${id}?`}
      action={problem === undefined ? `Capture ${money(amount, currency)}` : 'Capture'}
      onAction={send}
      onClose={close}
      isBusy={isPending}
      error={error}
      unanswered="Capture the same amount again: it is never captured twice."
    >
      <Facts
        facts={[
          ['Authorised', <Money key="authorized" amount={authorized} currency={currency} />],
          ['Captured', <Money key="captured" amount={captured} currency={currency} />],
          ['Capture before', <Time key="before" value={before} />],
        ]}
      />
      <p>The service asks {providerOf(payment)} to capture the amount. This cannot be undone.</p>
      <TextField
        label={`Amount in ${currency}`}
        hint={`At most ${money(authorized, currency)}. A provider that captures no part of it refuses a smaller amount.`}
        inputMode="decimal"
        value={text}
        onChange={({ target }) => setText(target.value)}
        error={(isChecked ? problem : undefined) ?? fieldError(error, 'amount')}
      />
      <p>
        {rest > 0
          ? `The rest of ${money(rest, currency)} is released and cannot be captured later. One capture is possible.`
          : 'One capture is possible. The rest of a smaller amount is released.'}
      </p>
      <p>The payment becomes completed when the provider confirms. {webhookSentence(payment)}</p>
    </ChangeDialog>
  );
}

import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { money } from '../../../ui/money';
import { Facts, Id } from '../../../ui/values';
import { ChangeDialog, type Done } from './change-dialog';
import { SettleFields } from './settle-fields';
import { contradictionOf, doubtOf, foundSoFar, problemsOf, settleRequest } from './settlement';

type Request = Schema<'SettleOperation'>;

interface Props {
  paymentId: number;
  operation: Schema<'PaymentOperation'>;
  close: () => void;
  done: (result: Done) => void;
  onError: () => void;
}

/** Closes an operation with the outcome that a person found at the provider. */
export function SettleDialog({ paymentId, operation, close, done, onError }: Props) {
  const { id, kind, amount, currency, provider, reference, provider_transaction_id: transaction } = operation;
  const [found, setFound] = useState(() => foundSoFar(operation));
  const [isChecked, setChecked] = useState(false);
  const problems = problemsOf(found, operation);
  const request = settleRequest(found, operation);
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (body: Request) =>
      api.post('/payments/{id}/operations/{operationId}/settle', {
        params: { path: { id: paymentId, operationId: id } },
        body,
      }),
    onSuccess: () => done({ text: `The ${kind} is settled as ${found.outcome}.` }),
    onError,
  });
  // a confirmation is for the request that the provider contradicts, not for one that was changed since
  const isRefused = JSON.stringify(variables) === JSON.stringify(request);
  const contradiction = isRefused ? contradictionOf(error) : undefined;
  const [sure, setSure] = useState<Request>();
  const isSure = sure !== undefined && sure === variables;
  const send = (): void => {
    setChecked(true);
    if (Object.keys(problems).length === 0)
      mutate(contradiction !== undefined && isSure ? { ...request, confirm: true } : request);
  };
  return (
    <ChangeDialog
      title={`Settle the ${kind} of payment ${paymentId}?`}
      action={contradiction === undefined ? 'Settle' : `Settle as ${found.outcome} anyway`}
      onAction={send}
      onClose={close}
      isBusy={isPending}
      isDisabled={contradiction !== undefined && !isSure}
      error={contradiction === undefined ? error : undefined}
      unanswered="Close this dialog and look at the timeline. An operation is settled only once."
      warning={contradiction}
    >
      <p>
        First look at the transaction at {provider}. Your answer is final: the payment follows it, and the audit log
        keeps your reason. The fields begin with what {provider} has reported so far.
      </p>
      <Facts
        facts={[
          ['Amount', money(amount, currency)],
          ['Our reference', <Id key="reference" value={reference} />],
          ['Transaction id', <Id key="transaction" value={transaction} />],
        ]}
      />
      <SettleFields
        operation={operation}
        found={found}
        onChange={setFound}
        problems={isChecked ? problems : {}}
        error={error}
      />
      {contradiction !== undefined && (
        <div className="notice notice-warn" role="alert">
          <div>
            <p>
              <strong>{doubtOf(error)}:</strong> <bdi>{contradiction}</bdi>. Check again at {provider} before you go on.
            </p>
            <label className="check">
              <input
                type="checkbox"
                checked={isSure}
                onChange={({ target }) => setSure(target.checked ? variables : undefined)}
              />
              I have checked again: it is {found.outcome}.
            </label>
          </div>
        </div>
      )}
    </ChangeDialog>
  );
}

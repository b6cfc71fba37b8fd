import type { Schema } from '@payment-orchestrator/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { useDialog } from '../../ui/use-dialog';

type Delivery = Schema<'DeliveryDetail'>;

/** Moves a pending delivery forward, or sends a finished one again. The API calls both a retry. */
export function RetryDelivery({ delivery }: { delivery: Delivery }) {
  const asking = useDialog();
  const isErased = delivery.request_body === '' && delivery.status !== 'pending';
  const name = delivery.status === 'pending' ? 'Retry now' : 'Send again';
  return (
    <>
      <Button
        variant="primary"
        disabled={isErased}
        title={isErased ? 'The body was erased with the customer’s data' : undefined}
        onClick={() => asking.open()}
      >
        {name} …
      </Button>
      {asking.isOpen && <RetryDialog delivery={delivery} name={name} onClose={asking.close} />}
    </>
  );
}

function RetryDialog({ delivery, name, onClose }: { delivery: Delivery; name: string; onClose: () => void }) {
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (endpoint: string) =>
      api.post('/webhooks/deliveries/{id}/retry', {
        params: { path: { id: delivery.id } },
        body: endpoint === '' ? {} : { webhook_endpoint: endpoint },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['/webhooks/deliveries/{id}'] });
      await queries.invalidateQueries({ queryKey: ['/webhooks/deliveries'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`${name}: delivery ${delivery.id}`}
      action={name}
      onSubmit={(data) => mutate(formText(data, 'webhook_endpoint'))}
      onClose={onClose}
      isBusy={isPending}
      error={error}
    >
      <p>
        New attempts begin now, with the same body and <code>webhook-id</code>. A receiver that already has it can
        ignore it.
      </p>
      {delivery.endpoint_id === null && (
        <TextField
          label="Other address"
          name="webhook_endpoint"
          type="url"
          placeholder={delivery.webhook_endpoint}
          hint="Leave empty to use the same address. Later webhooks of the payment are not affected."
          error={fieldError(error, 'webhook_endpoint')}
        />
      )}
    </FormDialog>
  );
}

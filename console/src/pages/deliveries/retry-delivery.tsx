import type { Schema } from '@payment-orchestrator/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { ProblemNotice } from '../../ui/problem-notice';

type Delivery = Schema<'DeliveryDetail'>;

/** One that is pending is pulled forward, one that has ended is sent again: the API calls both a retry. */
export function RetryDelivery({ delivery }: { delivery: Delivery }) {
  const [isAsking, setAsking] = useState(false);
  const isErased = delivery.request_body === '' && delivery.status !== 'pending';
  const name = delivery.status === 'pending' ? 'Retry now' : 'Send again';
  return (
    <>
      <Button
        look="primary"
        disabled={isErased}
        title={isErased ? 'Its body was erased with its customer' : undefined}
        onClick={() => setAsking(true)}
      >
        {name} …
      </Button>
      {isAsking && <RetryDialog delivery={delivery} name={name} onClose={() => setAsking(false)} />}
    </>
  );
}

function RetryDialog({ delivery, name, onClose }: { delivery: Delivery; name: string; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (endpoint: string | undefined) =>
      api.post('/webhooks/deliveries/{id}/retry', {
        params: { path: { id: delivery.id } },
        body: endpoint === undefined ? {} : { webhook_endpoint: endpoint },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['/webhooks/deliveries/{id}'] });
      await queries.invalidateQueries({ queryKey: ['/webhooks/deliveries'] });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const endpoint = new FormData(form.current!).get('webhook_endpoint');
    mutate(typeof endpoint === 'string' && endpoint.trim() !== '' ? endpoint.trim() : undefined);
  };
  const send = (
    <Button type="submit" form={formId} look="primary" isBusy={isPending}>
      {name}
    </Button>
  );
  return (
    <Dialog title={`${name}: delivery ${delivery.id}`} onClose={onClose} actions={send}>
      <form id={formId} ref={form} className="stack" onSubmit={submit}>
        <p>
          A fresh run of attempts begins now, with the same body and <code>webhook-id</code>: a receiver that has it
          drops it.
        </p>
        <TextField
          label="To another address"
          name="webhook_endpoint"
          type="url"
          placeholder={delivery.webhook_endpoint}
          hint="Empty: where it went. The later webhooks of its payment go where they went."
          error={fieldError(error, 'webhook_endpoint')}
        />
        <ProblemNotice error={error} />
      </form>
    </Dialog>
  );
}

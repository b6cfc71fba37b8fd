import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client';
import type { EventType } from '../../../api/event-types';
import { useEventTypes } from '../../../api/use-event-types';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import type { Endpoint } from '../endpoint-filter';
import { CheckResults } from './check-results';

/** Tests a standing endpoint with a sample of one type, as its deliveries are sent. */
export function StandingReceiverCheck({ endpoint: { id, event_types: chosen, format } }: { endpoint: Endpoint }) {
  const { types } = useEventTypes();
  const [typed, setTyped] = useState<EventType>();
  const type = typed ?? (chosen?.[0] as EventType | undefined);
  const path = { id };
  const test = useMutation({
    mutationFn: () => api.post('/webhooks/endpoints/{id}/test', { params: { path }, body: { event_type: type } }),
  });
  const conformance = useMutation({
    mutationFn: () => api.post('/webhooks/endpoints/{id}/conformance', { params: { path } }),
  });
  const start = (mutation: typeof test | typeof conformance): void => {
    test.reset();
    conformance.reset();
    mutation.mutate();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start(test);
  };
  const error = test.error ?? conformance.error;
  return (
    <Card title="Test the receiver">
      <form className="receiver-check" onSubmit={submit}>
        <Select
          label="Type of the sample"
          value={type ?? ''}
          onChange={({ target }) => setTyped(target.value as EventType)}
          options={types.map(({ name }) => ({ value: name, label: name }))}
          hint="It has the secret, headers and authentication of the endpoint, also while it is paused, and is not stored as a delivery."
          error={fieldError(error, 'event_type')}
        />
        <div className="actions">
          <Button type="submit" variant="primary" isBusy={test.isPending} disabled={conformance.isPending}>
            Send a test
          </Button>
          {format === 'json' && (
            <Button isBusy={conformance.isPending} disabled={test.isPending} onClick={() => start(conformance)}>
              Run the conformance cases
            </Button>
          )}
        </div>
      </form>
      <CheckResults
        error={error}
        isRunning={conformance.isPending}
        test={test.data?.data}
        conformance={conformance.data?.data}
      />
    </Card>
  );
}

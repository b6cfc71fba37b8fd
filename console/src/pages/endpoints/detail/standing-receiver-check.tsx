import { useState } from 'react';
import { api } from '../../../api/client';
import type { EventType } from '../../../api/event-types';
import { useEventTypes } from '../../../api/use-event-types';
import { Select } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import type { Endpoint } from '../endpoint-filter';
import { ReceiverCheckCard } from './receiver-check-card';

/** Tests a standing endpoint with a sample of one type, as its deliveries are sent. */
export function StandingReceiverCheck({ endpoint: { id, event_types: chosen, format } }: { endpoint: Endpoint }) {
  const { types } = useEventTypes();
  const [typed, setTyped] = useState<EventType>();
  const type = typed ?? (chosen?.[0] as EventType | undefined);
  const path = { id };
  return (
    <ReceiverCheckCard
      sendTest={() => api.post('/webhooks/endpoints/{id}/test', { params: { path }, body: { event_type: type } })}
      runConformance={() => api.post('/webhooks/endpoints/{id}/conformance', { params: { path } })}
      hasConformance={format === 'json'}
      field={(error) => (
        <Select
          label="Type of the sample"
          value={type ?? ''}
          onChange={({ target }) => setTyped(target.value as EventType)}
          options={types.map(({ name }) => ({ value: name, label: name }))}
          hint="It has the secret, headers and authentication of the endpoint, also while it is paused, and is not stored as a delivery."
          error={fieldError(error, 'event_type')}
        />
      )}
    />
  );
}

import { Time } from '../../../ui/values';
import type { Endpoint } from '../endpoint-filter';

/** Why a standing endpoint gets no requests, and what happens to its events meanwhile. */
export function StateNotice({
  endpoint: { state, state_reason: reason, state_changed_at: at },
}: {
  endpoint: Endpoint;
}) {
  if (state === null || state === 'active') return null;
  return (
    <div className={`notice ${state === 'disabled' ? 'notice-bad' : 'notice-warn'}`} role="status">
      <p>
        <strong>{state === 'disabled' ? 'Disabled' : 'Paused'}</strong> since <Time value={at} />
        {reason === null ? '. ' : `: ${REASONS[reason]} `}
        Its events are kept as pending deliveries, and sent oldest first when it is resumed.
      </p>
    </div>
  );
}

const REASONS: Record<NonNullable<Endpoint['state_reason']>, string> = {
  gone: 'the receiver answered 410 Gone.',
  failing: 'no delivery has succeeded for days.',
};

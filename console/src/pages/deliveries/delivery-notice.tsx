import type { Schema } from '@payment-orchestrator/client';
import { Time } from '../../ui/values';
import { MeaningText } from './meaning-text';

/** Says in a sentence what the state of the delivery is, and what to do about it. */
export function DeliveryNotice({ delivery }: { delivery: Schema<'DeliveryDetail'> }) {
  const { status, attempts, next_attempt_at: next } = delivery;
  const last = attempts.at(-1);
  if (status === 'delivered') return null;
  const meaning = last && <MeaningText attempt={last} />;
  if (status === 'failed')
    return (
      <div className="notice notice-bad">
        <div>
          <p>
            <strong>The delivery has failed and will not be retried.</strong> Fix the cause, then send it again.
          </p>
          {meaning}
        </div>
      </div>
    );
  return (
    <div className="notice notice-warn">
      <div>
        <p>
          <strong>{last ? 'Not delivered yet.' : 'No attempt yet.'}</strong> The next attempt is due{' '}
          <Time value={next} />
          {isPast(next) && '; it is queued or running'}.
        </p>
        {meaning}
      </div>
    </div>
  );
}

const isPast = (time: string | null): boolean => time !== null && Date.parse(time) <= Date.now();

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
          <strong>{last ? 'Not delivered yet.' : 'No attempt yet.'}</strong> <NextAttempt at={next} />
        </p>
        {meaning}
      </div>
    </div>
  );
}

/** Without a time, the delivery waits for its endpoint, which is paused or disabled. */
const NextAttempt = ({ at }: { at: string | null }) =>
  at === null ? (
    <>It is kept, and sent when its endpoint is resumed.</>
  ) : (
    <>
      The next attempt is due <Time value={at} />
      {isPast(at) && '; it is queued or running'}.
    </>
  );

const isPast = (time: string): boolean => Date.parse(time) <= Date.now();

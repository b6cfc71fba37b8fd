import { Badge } from '../../../ui/badge';
import { Card } from '../../../ui/card';
import { ObjectLink } from '../../../ui/object-link';
import { Time } from '../../../ui/values';
import { MeaningText } from '../../deliveries/meaning-text';
import type { Endpoint } from '../endpoint-filter';

type EndpointError = Endpoint['errors'][number];

/** A numeric code is the status of an answer. */
const answerOf = (code: string) =>
  /^\d+$/.test(code) ? { status_code: Number(code), error: null } : { status_code: null, error: code as never };

export const EndpointErrors = ({ endpoint: { errors } }: { endpoint: Endpoint }) => (
  <Card title="Last errors">
    {errors.length === 0 ? (
      <p className="muted">No attempt failed in the last 24 hours.</p>
    ) : (
      <ul className="endpoint-errors">
        {errors.map((error) => (
          <li key={error.code}>
            <OneError error={error} />
          </li>
        ))}
      </ul>
    )}
  </Card>
);

const OneError = ({
  error: { code, attempts, last_at: at, last_delivery_id: delivery, last_message: message },
}: {
  error: EndpointError;
}) => (
  <>
    <p className="row">
      <Badge tone="bad">{code}</Badge>
      <span className="muted small">
        {attempts.toLocaleString('en')} {attempts === 1 ? 'attempt' : 'attempts'}, last at <Time value={at} /> for{' '}
        <ObjectLink type="delivery" id={delivery}>
          delivery {delivery}
        </ObjectLink>
      </span>
    </p>
    {message !== null && <p>{message}</p>}
    <MeaningText attempt={answerOf(code)} />
  </>
);

import { ConnectionError, UnexpectedAnswerError } from '@payment-orchestrator/client';

/** Whether it is unknown if the service has made a change: no answer came, or a proxy answered for a service it lost. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof UnexpectedAnswerError && error.status >= 500);

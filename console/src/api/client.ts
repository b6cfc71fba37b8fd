import { createClient, type PaymentOrchestratorClient } from '@payment-orchestrator/client';
import { currentSession } from './session';
import { withSession } from './session-fetch';

/** The public API, with the client that every program uses. A person waits for the answer, so it retries once, within 5 s. */
export const api: PaymentOrchestratorClient = createClient({
  baseUrl: location.origin,
  credentials: 'none',
  fetch: withSession(currentSession, (request) => fetch(request)),
  retries: { limit: 1, withinMs: 5_000 },
});

import { createClient, type PaymentOrchestratorClient } from '@payment-orchestrator/client';
import { currentSession } from './session';
import { withSession } from './session-fetch';

/** The public API, as every program has it. A person who waits is better told early than late: few retries, and short ones. */
export const api: PaymentOrchestratorClient = createClient({
  baseUrl: location.origin,
  credentials: 'none',
  fetch: withSession(currentSession, (request) => fetch(request)),
  retries: { limit: 1, withinMs: 5_000 },
});

import { createClient, type PaymentOrchestratorClient } from '@payment-orchestrator/client';

/** Of the session; without it the API refuses what the console writes. */
let csrfToken: string | undefined;

export const setCsrfToken = (token: string | undefined): void => void (csrfToken = token);

/** As `fetch`, with the session: its cookie goes along by itself, its CSRF token with every request. */
export function sessionFetch(request: Request): Promise<Response> {
  if (csrfToken !== undefined) request.headers.set('x-csrf-token', csrfToken);
  return fetch(request);
}

/** The public API, as every program has it. A person who waits is better told early than late: few retries, and short ones. */
export const api: PaymentOrchestratorClient = createClient({
  baseUrl: location.origin,
  credentials: 'none',
  fetch: sessionFetch,
  retries: { limit: 1, withinMs: 5_000 },
});

import { ProblemError } from '@payment-orchestrator/client';
import { api } from '../api/client';

type Found = { to: string } | { problem: string };

/** The page of the payment or the delivery that has this id. Throws when the API cannot be asked. */
export async function find(text: string): Promise<Found> {
  const finders = [deliveryById, paymentById, paymentBySession];
  for (const finder of finders) {
    const found = await finder(text).catch(nothing);
    if (found !== null) return { to: found };
  }
  return { problem: `Nothing has the id ${text}` };
}

async function deliveryById(text: string): Promise<string | null> {
  if (!text.startsWith('whd_')) return null;
  const { data } = await api.get('/webhooks/deliveries/{id}', { params: { path: { id: text as never } } });
  return `/deliveries/${String(data.id)}`;
}

async function paymentById(text: string): Promise<string | null> {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const { data } = await api.get('/payments/{id}', { params: { path: { id: Number(text) } } });
  return `/payments/${String(data.id)}`;
}

async function paymentBySession(text: string): Promise<string | null> {
  const { data } = await api.get('/payments', { params: { query: { payment_session_id: text, limit: 1 } } });
  return data[0] ? `/payments/${String(data[0].id)}` : null;
}

/** What is no id of that kind, or of nothing. */
function nothing(error: unknown): null {
  if (error instanceof ProblemError && [400, 403, 404, 422].includes(error.status)) return null;
  throw error;
}

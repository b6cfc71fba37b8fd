import { STATUS_CODES } from 'node:http';
import type { Terminal } from '../terminal.js';
import type { Forwarded } from './forwarder.js';

/** What is read of an event; `data` differs by type. */
export interface ReceivedEvent {
  id: string;
  type: string;
  created_at: string;
  shop_id: number;
  payment_id: number | null;
  data: Record<string, unknown>;
}

export interface Listening {
  url: string;
  shopId: number | undefined;
  target: { url: string; secret: string } | undefined;
}

/** The service gives up after so long. */
const SERVICE_TIMEOUT_MS = 3_000;
const SHOWN_CHARACTERS = 100;

/** Events go to `out`, so that they can be piped on; all else goes to `err`. */
export interface ListenOutput {
  event(event: ReceivedEvent, json: string, forwarded: Forwarded | undefined): void;
}

/** Text for people: a line for each event, and beneath it what the receiver answered. */
export const textOutput = (terminal: Terminal): ListenOutput => ({
  event: (event, _, forwarded) => {
    const time = new Date(event.created_at).toLocaleTimeString('en-GB');
    terminal.out(`${time}  ${subjectOf(event)}${forwarded ? `  ->  ${resultOf(forwarded)}` : ''}\n`);
    const answer = forwarded && lineOf(forwarded.answer);
    if (answer) terminal.out(`          ${answer}\n`);
  },
});

/** A JSON document a line, for programs. */
export const jsonOutput = (terminal: Terminal): ListenOutput => ({
  event: (_, json, forwarded) => {
    const told = forwarded && {
      status: forwarded.status,
      error: forwarded.error,
      latency_ms: forwarded.latencyMs,
      answer: forwarded.answer,
    };
    terminal.out(`{"event":${json},"forwarded":${JSON.stringify(told ?? null)}}\n`);
  },
});

/** What somebody who begins to listen must know. */
export function introduce(terminal: Terminal, { url, shopId, target }: Listening): void {
  const shops = shopId === undefined ? 'all shops' : `shop ${shopId}`;
  const lines = [`Listening to ${url} (${shops})${target ? `, forwarding to ${target.url}` : ''}`];
  if (target) {
    lines.push(`Webhook secret of this session: ${target.secret}`);
    lines.push('Verify with it as with the secret of a shop; give it as --secret to keep it the next time.');
  }
  terminal.err(`${lines.join('\n')}\n\n`);
}

function subjectOf({ type, shop_id: shopId, payment_id: paymentId, data }: ReceivedEvent): string {
  const shop = `shop ${shopId}`;
  const { webhook_endpoint: endpoint, attempts, delivery_id: deliveryId } = data;
  if (type === 'payment.status_changed') {
    const { status } = data['payment'] as { status: string };
    return `payment ${paymentId}  ${status.padEnd(10)}  ${shop}`;
  }
  if (type === 'delivery.failed')
    return `payment ${paymentId}  delivery ${String(deliveryId)} failed for good after ${String(attempts)} attempts at ${String(endpoint)}  ${shop}`;
  const verb = type === 'endpoint.failing' ? 'is failing since' : 'has recovered, was failing since';
  return `endpoint ${String(endpoint)} ${verb} ${String(data['failing_since'])}  ${shop}`;
}

function resultOf({ status, error, latencyMs }: Forwarded): string {
  const outcome = status === null ? error : `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const slow = latencyMs > SERVICE_TIMEOUT_MS ? '  (the service waits for 3 s, and tries again later)' : '';
  return `${outcome}  ${latencyMs} ms${slow}`;
}

/** Of what may be a page of anything. */
function lineOf(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)} ...` : line;
}

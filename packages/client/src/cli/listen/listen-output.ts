import { STATUS_CODES } from 'node:http';
import type { Terminal } from '../terminal.js';
import type { Forwarded } from './forwarder.js';

/** The fields of an event that are read; `data` depends on the type. */
export interface ReceivedEvent {
  id: string;
  type: string;
  created_at: string;
  shop_id: number | null;
  payment_id: number | null;
  data: Record<string, unknown>;
}

export interface Listening {
  url: string;
  shopId: number | undefined;
  target: { url: string; secret: string } | undefined;
}

/** The service's time-out of an attempt. */
const SERVICE_TIMEOUT_MS = 3_000;
const SHOWN_CHARACTERS = 100;

/** Events are written to `out`, so that they can be piped; everything else to `err`. */
export interface ListenOutput {
  event(event: ReceivedEvent, json: string, forwarded: Forwarded | undefined): void;
}

/** Text for people: a line per event, and below it the receiver's response. */
export const textOutput = (terminal: Terminal): ListenOutput => ({
  event: (event, _, forwarded) => {
    const time = new Date(event.created_at).toLocaleTimeString('en-GB');
    terminal.out(`${time}  ${subjectOf(event)}${forwarded ? `  ->  ${resultOf(forwarded)}` : ''}\n`);
    const answer = forwarded && lineOf(forwarded.answer);
    if (answer) terminal.out(`          ${answer}\n`);
  },
});

/** One JSON document per line, for programs. */
export const jsonOutput = (terminal: Terminal): ListenOutput => ({
  event: (_, json, forwarded) => {
    const result = forwarded && {
      status: forwarded.status,
      error: forwarded.error,
      latency_ms: forwarded.latencyMs,
      answer: forwarded.answer,
    };
    terminal.out(`{"event":${json},"forwarded":${JSON.stringify(result ?? null)}}\n`);
  },
});

/** Prints what a developer needs at the start. */
export function printIntroduction(terminal: Terminal, { url, shopId, target }: Listening): void {
  const shops = shopId === undefined ? 'all shops' : `shop ${shopId}`;
  const lines = [`Listening to ${url} (${shops})${target ? `, forwarding to ${target.url}` : ''}`];
  if (target) {
    lines.push(`Webhook secret of this session: ${target.secret}`);
    lines.push('Verify with it as with the secret of a shop. Pass it as --secret to use it again.');
  }
  terminal.err(`${lines.join('\n')}\n\n`);
}

function subjectOf({ type, shop_id: shopId, payment_id: paymentId, data }: ReceivedEvent): string {
  const subject = paymentId === null ? '' : `payment ${paymentId}  `;
  const shop = shopId === null ? 'all shops' : `shop ${shopId}`;
  const { webhook_endpoint: endpoint, attempts, delivery_id: deliveryId } = data;
  if (type === 'payment.status_changed') {
    const { status } = data['payment'] as { status: string };
    return `payment ${paymentId}  ${status.padEnd(10)}  ${shop}`;
  }
  if (type === 'delivery.failed')
    return `${subject}delivery ${String(deliveryId)} failed permanently after ${String(attempts)} attempts at ${String(endpoint)}  ${shop}`;
  if (!type.startsWith('endpoint.') && !/^(refund|dispute)\./.test(type)) {
    return `${subject}${type}  ${shop}`;
  }
  if (type.startsWith('refund.')) {
    const { id, status, amount, currency } = data;
    return `payment ${paymentId}  refund ${String(id)} ${String(status)}  ${String(amount)} ${String(currency)}  ${shop}`;
  }
  if (type.startsWith('dispute.')) return `payment ${paymentId}  ${disputeOf(data)}  ${shop}`;
  if (type === 'endpoint.disabled')
    return `endpoint ${String(endpoint)} is disabled: ${String(data['reason'])}  ${shop}`;
  const verb = type === 'endpoint.failing' ? 'is failing since' : 'has recovered, was failing since';
  return `endpoint ${String(endpoint)} ${verb} ${String(data['failing_since'])}  ${shop}`;
}

function disputeOf({ id, kind, status, amount, currency, evidence_due_by: dueBy }: Record<string, unknown>): string {
  const due = status === 'open' && typeof dueBy === 'string' ? `, evidence due by ${dueBy}` : '';
  return `dispute ${String(id)}: ${String(kind)} of ${String(amount)} ${String(currency)} is ${String(status)}${due}`;
}

function resultOf({ status, error, latencyMs }: Forwarded): string {
  const outcome = status === null ? error : `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const slow = latencyMs > SERVICE_TIMEOUT_MS ? '  (the service waits for 3 s, and tries again later)' : '';
  return `${outcome}  ${latencyMs} ms${slow}`;
}

/** One line of a response, which may be a page of anything. */
function lineOf(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)} ...` : line;
}

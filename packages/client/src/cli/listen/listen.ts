import { CommandError, type Terminal } from '../terminal.js';
import { eventFeed } from './event-feed.js';
import { forward, type Forwarded, type ForwardTarget } from './forwarder.js';
import { printIntroduction, jsonOutput, type ReceivedEvent, textOutput } from './listen-output.js';
import type { ServiceAddress } from '../service-requests.js';
import { ServiceClient } from './service-client.js';

export interface ListenSettings {
  service: ServiceAddress;
  /** `undefined`: events are shown but not posted. */
  target: ForwardTarget | undefined;
  shopId: number | undefined;
  /** Names of types of events, separated by commas: only these are shown, and each is posted. */
  types: string | undefined;
  print: 'text' | 'json';
  /** Begin with this many of the latest events. */
  replayLast: number;
}

/** Posted unless types are named, as to the address of a payment. Its `data` is the body of a webhook. */
const STATUS_CHANGED = 'payment.status_changed';
const DATA = ',"data":';

/**
 * Shows the events of a service and posts its webhooks to a developer's machine, until `signal` is aborted. One event
 * at a time, in order: while the receiver is slow, later events wait at the service. It only reads: the service's own
 * deliveries are not changed.
 */
export async function listen(settings: ListenSettings, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { service, target, shopId, types, print, replayLast } = settings;
  const output = print === 'json' ? jsonOutput(terminal) : textOutput(terminal);
  printIntroduction(terminal, { url: service.url, shopId, target });
  const counts = { events: 0, posted: 0, accepted: 0 };
  const feed = eventFeed({
    client: new ServiceClient(service),
    search: new URLSearchParams({
      last: String(replayLast),
      ...(shopId !== undefined && { shop_id: String(shopId) }),
      ...(types !== undefined && { types }),
    }),
    signal,
    onConnected: () => terminal.err('connected\n'),
    onLost: (reason) => terminal.err(`no connection (${reason}), trying again\n`),
  });
  for await (const { data: json } of feed) {
    const event = parsed(json);
    const isPosted = types !== undefined || event.type === STATUS_CHANGED;
    const forwarded = target && isPosted ? await post(target, event, json, signal) : undefined;
    if (signal.aborted) break;
    counts.events += 1;
    if (forwarded) counts.posted += 1;
    if (isAccepted(forwarded)) counts.accepted += 1;
    output.event(event, json, forwarded);
  }
  const posted = target ? `, ${counts.posted} forwarded, ${counts.accepted} answered with 2xx` : '';
  terminal.err(`\nstopped: ${counts.events} events${posted}\n`);
}

function parsed(json: string): ReceivedEvent {
  try {
    return JSON.parse(json) as ReceivedEvent;
  } catch (error) {
    throw new CommandError('the service sends something other than events', { cause: error });
  }
}

const post = (target: ForwardTarget, event: ReceivedEvent, json: string, stop: AbortSignal): Promise<Forwarded> =>
  forward(target, { id: event.id, shopId: event.shop_id, body: bodyOf(event, json) }, stop);

/**
 * The body of the event as a webhook. `data` is cut out of the JSON text: parsing and serialising it again would not keep the
 * bytes that the service has stored.
 */
function bodyOf({ type, id, created_at, shop_id, payment_id }: ReceivedEvent, json: string): string {
  const data = json.slice(json.indexOf(DATA) + DATA.length, -1);
  if (type === STATUS_CHANGED) return data;
  const envelope = JSON.stringify({ event: type, timestamp: created_at, id, shop_id, payment_id });
  return `${envelope.slice(0, -1)}${DATA}${data}}`;
}

const isAccepted = (forwarded: Forwarded | undefined): boolean =>
  forwarded?.status !== undefined && forwarded.status !== null && forwarded.status >= 200 && forwarded.status < 300;

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
  print: 'text' | 'json';
  /** Begin with this many of the latest events. */
  replayLast: number;
}

/** The only type of event that is a webhook; the others are about webhooks. */
const POSTED = 'payment.status_changed';
const DATA = ',"data":';

/**
 * Shows the events of a service and posts its webhooks to a developer's machine, until `signal` is aborted. One event
 * at a time, in order: while the receiver is slow, later events wait at the service. It only reads: the service's own
 * deliveries are not changed.
 */
export async function listen(settings: ListenSettings, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { service, target, shopId, print, replayLast } = settings;
  const output = print === 'json' ? jsonOutput(terminal) : textOutput(terminal);
  printIntroduction(terminal, { url: service.url, shopId, target });
  const counts = { events: 0, posted: 0, accepted: 0 };
  const feed = eventFeed({
    client: new ServiceClient(service),
    search: new URLSearchParams({
      last: String(replayLast),
      ...(shopId !== undefined && { shop_id: String(shopId) }),
    }),
    signal,
    onConnected: () => terminal.err('connected\n'),
    onLost: (reason) => terminal.err(`no connection (${reason}), trying again\n`),
  });
  for await (const { data: json } of feed) {
    const event = parsed(json);
    const forwarded = target && event.type === POSTED ? await post(target, event, json, signal) : undefined;
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

/**
 * Posts a change of status, which always has a shop. The body is cut out of the JSON text: parsing and serialising it again would not keep the bytes that the service has
 * stored.
 */
const post = (target: ForwardTarget, event: ReceivedEvent, json: string, stop: AbortSignal): Promise<Forwarded> =>
  forward(
    target,
    { id: event.id, shopId: event.shop_id!, body: json.slice(json.indexOf(DATA) + DATA.length, -1) },
    stop,
  );

const isAccepted = (forwarded: Forwarded | undefined): boolean =>
  forwarded?.status !== undefined && forwarded.status !== null && forwarded.status >= 200 && forwarded.status < 300;

import { createHmac } from 'node:crypto';
import type { ReceivedRequest } from '../../servers/receiver.js';
import { TIMEOUT_MS } from './webhook-harness.js';

/** The longest time from the claim of a delivery with its secrets until it arrives: half a lease's margin, and one attempt. */
export const CLAIMED_BEFORE_MS = TIMEOUT_MS + 5_000;

interface Rotation {
  overlap: number;
  activateIn: number;
  isRepeated: boolean;
}

interface Answered {
  webhook_secret: string;
  webhook_secret_active_from: string;
  previous_webhook_secret_expires_at: string | null;
}

/** Times in ms since 1970. */
interface State {
  latest: string;
  activeFrom: number;
  previous: string | null;
  expiresAt: number;
  /** The earliest start and the latest end. */
  from: number;
  to: number;
}

interface Signing {
  current: string;
  others: string[];
}

/** A shop's secrets according to docs/operate/key-rotation.md, with the API's answers. */
export class SecretHistory {
  private readonly states: State[];

  constructor(secret: string) {
    this.states = [{ latest: secret, activeFrom: 0, previous: null, expiresAt: 0, from: 0, to: Infinity }];
  }

  get latest(): string {
    return this.states.at(-1)!.latest;
  }

  /** Records a rotation that was requested at `from` and answered by `to`. Returns what is wrong with the answer. */
  rotated(rotation: Rotation, answered: Answered, from: number, to: number): string[] {
    const { overlap, activateIn } = rotation;
    const activeFrom = Date.parse(answered.webhook_secret_active_from);
    const isDated = activateIn > 0 && activeFrom > to;
    // an earlier rotation may have left several possible states, of which only the service knows the right one
    const after = this.states
      .filter((state) => state.to === Infinity)
      .flatMap((before) => {
        // if the secret before changes between the request and the answer, only the service knows the order
        const isOpen = !isDated && [before.activeFrom, before.expiresAt].some((at) => at > from && at <= to);
        const times = isDated ? [activeFrom - activateIn * 1_000] : isOpen ? [from, to] : [from];
        return times.map((now) => stateAfter(before, rotation, answered, now));
      });
    for (const state of this.states) state.to = Math.min(state.to, to);
    this.states.push(...after.map((state) => ({ ...state, from, to: Infinity })));
    const shown = answered.previous_webhook_secret_expires_at;
    return after.some(({ previous }) => (previous !== null) === (shown !== null))
      ? []
      : [`a rotation of overlap ${overlap}, activation ${activateIn} shows a previous secret until ${shown}`];
  }

  /** Between these times the latest secret became the only one that signs. */
  passed(from: number, to: number): void {
    const { latest } = this;
    for (const state of this.states) state.to = Math.min(state.to, to);
    this.states.push({ latest, activeFrom: 0, previous: null, expiresAt: 0, from, to: Infinity });
  }

  /** The possible secrets of `Signature` in this time. */
  current(from: number, to = from): string[] {
    return this.valid(from, to).map(({ current }) => current);
  }

  /** Checks the signatures of a request that was not claimed before `since`. */
  wrongWith(request: ReceivedRequest, since: number): string[] {
    const { headers, body, arrivedAt } = request;
    const id = String(headers['webhook-id']);
    const timestamp = String(headers['webhook-timestamp']);
    const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    const standard = (secret: string): string =>
      `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
        .update(content)
        .digest('base64')}`;
    const symmetric = String(headers['webhook-signature']).replace(/ v1a,.*$/, '');
    const got = `${String(headers['signature'])} ${symmetric}`;
    const isRight = this.valid(Math.max(since, arrivedAt - CLAIMED_BEFORE_MS), arrivedAt).some(
      ({ current, others }) => {
        const signature = createHmac('sha256', current).update(body).digest('hex');
        return got === [signature, ...[current, ...others].map(standard)].join(' ');
      },
    );
    if (isRight) return [];
    const asDate = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString() : String(at));
    const states = this.states.map(({ latest, previous, ...times }) => {
      const signed = [latest, previous].map((secret) => secret !== null && got.includes(standard(secret)));
      const [activeFrom, expiresAt, from, to] = [times.activeFrom, times.expiresAt, times.from, times.to].map(asDate);
      return `latest ${signed[0]}, previous ${signed[1]}, from ${from} to ${to}, active ${activeFrom}, expires ${expiresAt}`;
    });
    return [
      `${id} at ${asDate(arrivedAt)}, claimed after ${asDate(since)}, is signed with other secrets than the shop's: ${states.join('; ')}`,
    ];
  }

  /** The possible signing secrets in this time. */
  private valid(from: number, to: number): Signing[] {
    return this.states.flatMap((state) => {
      const [first, last] = [Math.max(from, state.from), Math.min(to, state.to)];
      if (first > last) return [];
      const changes = [state.activeFrom, state.expiresAt].flatMap((at) => [at - 1, at, at + 1]);
      return [first, last, ...changes.filter((at) => at >= first && at <= last)].map((at) => signing(state, at));
    });
  }
}

/** The secrets after a rotation at the service's time `now`. */
function stateAfter(
  before: State,
  { overlap, activateIn, isRepeated }: Rotation,
  answered: Answered,
  now: number,
): Pick<State, 'latest' | 'activeFrom' | 'previous' | 'expiresAt'> {
  const isAnnounced = before.activeFrom > now;
  const isDelayed = activateIn > 0 && !(isRepeated && !isAnnounced);
  const valid = before.expiresAt > now ? before.previous : null;
  const previous = isAnnounced ? before.previous : isRepeated ? valid : before.latest;
  const isKept = previous !== null && (isDelayed ? activateIn : 0) + overlap > 0;
  const shown = answered.previous_webhook_secret_expires_at;
  return {
    latest: answered.webhook_secret,
    activeFrom: isDelayed ? Date.parse(answered.webhook_secret_active_from) : 0,
    previous: isKept ? previous : null,
    expiresAt: shown === null ? 0 : Date.parse(shown),
  };
}

function signing({ latest, activeFrom, previous, expiresAt }: State, at: number): Signing {
  if (at < activeFrom) return { current: previous!, others: [latest] };
  return { current: latest, others: previous !== null && at < expiresAt ? [previous] : [] };
}

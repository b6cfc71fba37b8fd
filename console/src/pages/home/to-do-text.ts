import type { Schema } from '@payment-orchestrator/client';
import type { Tone } from '../../ui/badge';
import { money } from '../../ui/money';
import { percentText } from '../../ui/percent';
import { spanText } from '../../ui/span-text';

export type Line = Schema<'ToDoLine'>;
type Kind = Line['kind'];

interface Words {
  title: (line: Line) => string;
  /** The label of the button. */
  action: string;
}

/** The API counts up to this number. */
const MOST_COUNTED = 10_000;

const many = (one: string, more: string) => (line: Line) =>
  line.count === 1 ? `1 ${one}` : `${counted(line)} ${more}`;
const counted = ({ count }: Line): string => (count >= MOST_COUNTED ? '10,000 or more' : count.toLocaleString('en'));

/** The words for each kind. The type comes from the API: a new kind does not compile until it is added here. */
const WORDS: Record<Kind, Words> = {
  evidence_overdue: { title: many('dispute is overdue', 'disputes are overdue'), action: 'See disputes' },
  evidence_due: {
    title: many('dispute needs evidence within 7 days', 'disputes need evidence within 7 days'),
    action: 'Submit evidence',
  },
  lapses_in_24_hours: {
    title: many('authorisation lapses within 24 hours', 'authorisations lapse within 24 hours'),
    action: 'Capture or cancel',
  },
  lapses_in_3_days: {
    title: many('authorisation lapses within 3 days', 'authorisations lapse within 3 days'),
    action: 'Capture or cancel',
  },
  operations_to_settle: {
    title: many('operation needs your decision', 'operations need your decision'),
    action: 'Settle',
  },
  alarms: { title: many('alarm of a provider', 'alarms of providers'), action: 'Check alarms' },
  shop_down: { title: ({ shop }) => `Shop ${shop?.name} is down`, action: 'See the shop' },
  approvals_fell: { title: fallen, action: 'Compare' },
  endpoints_failing: {
    title: many('endpoint gets no webhooks', 'endpoints get no webhooks'),
    action: 'See endpoints',
  },
  approval_waiting: {
    title: ({ flow }) => `Version ${flow?.version} of flow ${flow?.name} needs your approval`,
    action: 'Review',
  },
};

function fallen({ shop, approvals }: Line): string {
  if (!approvals) return '';
  const { card_scheme: scheme, approval_rate: now, approval_rate_before: before } = approvals;
  const what = scheme === null ? 'Approvals' : `Approvals of ${scheme}`;
  return `${what} fell at ${shop?.name} from ${percentText(before)} to ${percentText(now)}`;
}

export const titleOf = (line: Line): string => WORDS[line.kind].title(line);
export const actionOf = ({ kind }: Line): string => WORDS[kind].action;

/** How long a line waits or has time, such as `first in 5 hours` or `for 2 days`. */
export function timeText({ count, since, until }: Line, now: number): string {
  if (until !== null) {
    const ms = Date.parse(until) - now;
    if (ms <= 0) return `for ${spanText(-ms)}`;
    return `${count === 1 ? '' : 'first '}in ${spanText(ms)}`;
  }
  return since === null ? '' : `for ${spanText(now - Date.parse(since))}`;
}

export const moneyText = ({ amounts }: Line): string =>
  amounts.map(({ amount, currency }) => money(amount, currency)).join(' + ');

const DAY_MS = 86_400_000;

/** Bad: overdue, within a day, or broken now. */
export function toneOf({ until }: Line, now: number): Tone {
  if (until === null) return 'bad';
  return Date.parse(until) - now < DAY_MS ? 'bad' : 'warn';
}

/** The names of kinds that a session may not see. */
const LEFT_OUT: Partial<Record<Kind, string>> = {
  shop_down: 'shops that are down',
  endpoints_failing: 'endpoints that fail',
  approval_waiting: 'versions of flows that need an approval',
};

export const leftOutText = ({ kind }: Schema<'LeftOut'>): string => LEFT_OUT[kind] ?? kind;

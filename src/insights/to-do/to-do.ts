import type { Scope } from '../../access/scopes.js';
import { DAY_MS } from '../../shared/clock.js';
import type { FallRow } from '../falls/falls.queries.js';
import { TO_DO_KINDS, type ToDoKind } from './to-do-kinds.js';
import type { DownRow, PartRow, WaitingRow } from './to-do.queries.js';

/** Work of one kind for a person. */
export interface ToDoLine {
  kind: ToDoKind;
  count: number;
  /** Since when the oldest waits; `null`: it has only a deadline. */
  since: Date | null;
  /** The earliest deadline; `null`: it has none. */
  until: Date | null;
  /** The money at stake. */
  amounts: { currency: string; amount: string }[];
  shop: { id: number; name: string } | null;
  approvals: Fell | null;
  /** The version that waits for an approval. */
  flow: { id: number; name: string; version: number } | null;
  /** A page of the console and its filter, with the names of the API's. */
  link: { path: string; query: Record<string, string> };
}

interface Fell {
  scheme: string;
  rate: number;
  rateBefore: number;
  attempts: number;
}

/** The times that divide work by its deadline. */
export interface Horizons {
  now: Date;
  day: Date;
  threeDays: Date;
  week: Date;
}

export const horizonsAt = (now: Date): Horizons => {
  const after = (days: number): Date => new Date(now.getTime() + days * DAY_MS);
  return { now, day: after(1), threeDays: after(3), week: after(7) };
};

/** The scopes that a kind needs in addition to `payments:read`. */
export const SCOPES_OF: Readonly<Partial<Record<ToDoKind, Scope>>> = {
  shop_down: 'shops:read',
  endpoints_failing: 'webhooks:read',
  approval_waiting: 'flows:activate',
};

/** Where the parts of a kind lead to. */
const LINKS: Readonly<Partial<Record<ToDoKind, (times: Horizons) => ToDoLine['link']>>> = {
  evidence_overdue: ({ now }) => ({ path: '/disputes', query: { due_before: now.toISOString() } }),
  evidence_due: ({ now, week }) => ({ path: '/disputes', query: between('due', now, week) }),
  lapses_in_24_hours: ({ now, day }) => ({ path: '/payments', query: between('lapses', now, day) }),
  lapses_in_3_days: ({ day, threeDays }) => ({ path: '/payments', query: between('lapses', day, threeDays) }),
  endpoints_failing: () => ({ path: '/endpoints', query: { status: 'failing' } }),
};

const between = (name: string, from: Date, before: Date): Record<string, string> => ({
  [`${name}_from`]: from.toISOString(),
  [`${name}_before`]: before.toISOString(),
});

interface Found {
  parts: readonly PartRow[];
  down: readonly DownRow[];
  falls: readonly FallRow[];
  waiting: readonly WaitingRow[];
}

/**
 * The lines, by deadline: overdue work, then work that waits without a deadline, the oldest first, then work that is due later.
 * Pure.
 */
export function linesOf({ parts, down, falls, waiting }: Found, times: Horizons): ToDoLine[] {
  const lines = TO_DO_KINDS.map((kind) => lineOf(kind, parts, times)).filter(({ count }) => count > 0);
  const all = [...lines, ...down.map(downLine), ...falls.map(fallLine), ...waiting.map(waitingLine)];
  const dueAt = ({ until }: ToDoLine): number => (until ?? times.now).getTime();
  const waitsSince = ({ since }: ToDoLine): number => (since ?? times.now).getTime();
  return all.sort((one, other) => dueAt(one) - dueAt(other) || waitsSince(one) - waitsSince(other));
}

const ABOUT_NOTHING = { shop: null, approvals: null, flow: null };

function lineOf(kind: ToDoKind, parts: readonly PartRow[], times: Horizons): ToDoLine {
  const rows = parts.filter((part) => part.kind === kind);
  return {
    kind,
    count: rows.reduce((sum, { count }) => sum + count, 0),
    since: earliest(rows.map(({ since }) => since)),
    until: earliest(rows.map(({ until }) => until)),
    amounts: rows.flatMap(({ currency, amount }) => (currency && amount ? [{ currency, amount }] : [])),
    ...ABOUT_NOTHING,
    link: LINKS[kind]?.(times) ?? { path: '/open-work', query: {} },
  };
}

const earliest = (times: (Date | null)[]): Date | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

const ONE = { count: 1, until: null, amounts: [], ...ABOUT_NOTHING };

const downLine = ({ shop_id: id, shop_name: name, since }: DownRow): ToDoLine => ({
  ...{ ...ONE, kind: 'shop_down', since, shop: { id, name } },
  link: { path: `/shops/${id}`, query: {} },
});

const fallLine = ({ shop_id: id, shop_name: name, fell_at: since, ...row }: FallRow): ToDoLine => ({
  ...{ ...ONE, kind: 'approvals_fell', since, shop: { id, name } },
  approvals: { scheme: row.scheme, rate: row.rate, rateBefore: row.rate_before, attempts: row.attempts },
  link: { path: '/approvals', query: { cell: String(id), value: row.scheme } },
});

const waitingLine = ({ flow_id: id, flow_name: name, version, since }: WaitingRow): ToDoLine => ({
  ...{ ...ONE, kind: 'approval_waiting', since, flow: { id, name, version } },
  link: { path: `/flows/${id}/proposals/${version}`, query: {} },
});

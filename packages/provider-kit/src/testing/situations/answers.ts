import type { PortCall } from '../calls.js';
import type { Meaning, PlayedAnswer, ProviderFixture } from '../fixture.js';
import { PAYERS_TEXT } from '../observed.js';

/** Answers of the connector that are allowed, by the member of the port; absent: any but those of `never`. */
type Allowed = Partial<Record<PortCall['member'], readonly string[]>>;

/** A row of the table: an answer of the provider, and what the connector may make of it. */
export interface AnswerRow {
  situation: string;
  /** The fixture's answer of this meaning is played if it has one. */
  meaning?: Meaning;
  /** Played if the fixture has none; absent: then nothing is played. */
  played?: readonly PlayedAnswer[];
  allowed: Allowed;
  /** Only where the usual answer has fields. */
  isOtherwiseFull?: true;
  /** In addition, for a step that is no change, or the first of several: nothing was charged by then. */
  before?: Allowed;
}

const TEXT = {
  message: PAYERS_TEXT,
  detail: PAYERS_TEXT,
  title: PAYERS_TEXT,
  description: PAYERS_TEXT,
  error_description: PAYERS_TEXT,
};
const json = (status: number): PlayedAnswer => ({ status, body: TEXT });
const html = (status: number): PlayedAnswer => ({ status, body: 'html' });

const UNKNOWN = ['rejects'];
const READS_REJECT: Allowed = { read: UNKNOWN, listed: UNKNOWN, found: ['rejects', 'nothing'], notification: UNKNOWN };
/** Nothing is known of the outcome, so the service asks again. */
const OUTCOME_UNKNOWN: Allowed = {
  ...READS_REJECT,
  charge: UNKNOWN,
  capture: UNKNOWN,
  void: UNKNOWN,
  refund: UNKNOWN,
  detach: UNKNOWN,
  credentials: ['unknown'],
};
const NOT_PROCESSED = ['refused, unavailable'];
const UNAVAILABLE: Allowed = {
  ...READS_REJECT,
  charge: ['unavailable'],
  capture: NOT_PROCESSED,
  void: NOT_PROCESSED,
  refund: NOT_PROCESSED,
  detach: UNKNOWN,
  credentials: ['unknown'],
};
const BEFORE_CHANGE: Allowed = {
  charge: ['unavailable'],
  capture: NOT_PROCESSED,
  void: NOT_PROCESSED,
  refund: NOT_PROCESSED,
};
const REFUSED_OR_UNKNOWN = ['refused', 'rejects'];
/** A definite refusal with an unknown code, or one that the connector does not trust. */
const REFUSED: Allowed = {
  ...READS_REJECT,
  charge: ['soft_declined', 'rejects'],
  capture: REFUSED_OR_UNKNOWN,
  void: REFUSED_OR_UNKNOWN,
  refund: REFUSED_OR_UNKNOWN,
  detach: ['rejects', 'not_found'],
  credentials: ['unknown', 'refused'],
  read: ['rejects', 'not_found'],
  notification: ['rejects', 'parsed'],
};
const FORBIDDEN = ['refused', 'refused, unavailable'];

/** Situations by the provider's answer to any of the connector's calls by HTTP. */
export const ANSWERS: readonly AnswerRow[] = [
  {
    situation: 'the provider fails (5xx)',
    meaning: 'outage',
    played: [json(500), html(502), json(503), { status: 504, body: 'empty' }, json(599)],
    allowed: OUTCOME_UNKNOWN,
    before: BEFORE_CHANGE,
  },
  {
    situation: 'the connection breaks before the answer',
    played: [{ status: 0, body: 'reset' }],
    allowed: OUTCOME_UNKNOWN,
  },
  {
    situation: 'the answer cannot be read',
    played: [
      html(200),
      { status: 200, body: 'garbage' },
      { status: 200, body: 'empty' },
      html(202),
      { status: 200, body: [] },
    ],
    allowed: OUTCOME_UNKNOWN,
  },
  {
    situation: 'the answer is an empty object, where the provider tells more',
    played: [{ status: 200, body: {} }],
    isOtherwiseFull: true,
    allowed: {
      charge: UNKNOWN,
      capture: UNKNOWN,
      void: UNKNOWN,
      refund: UNKNOWN,
      read: UNKNOWN,
      listed: UNKNOWN,
      credentials: ['unknown'],
    },
  },
  {
    situation: 'a proxy redirects the call',
    played: [{ status: 302, body: 'html', headers: { location: 'https://elsewhere.example/' } }, json(307)],
    allowed: {
      ...OUTCOME_UNKNOWN,
      charge: ['rejects', 'unavailable'],
      capture: ['rejects', ...NOT_PROCESSED],
      void: ['rejects', ...NOT_PROCESSED],
      refund: ['rejects', ...NOT_PROCESSED],
    },
  },
  {
    situation: 'the idempotency key is in use',
    meaning: 'key_in_use',
    played: [{ status: 409, body: {} }],
    allowed: { charge: UNKNOWN, capture: UNKNOWN, void: UNKNOWN, refund: UNKNOWN },
  },
  {
    situation: 'the idempotency key was used with another call',
    meaning: 'key_of_another_call',
    allowed: { charge: UNKNOWN, capture: UNKNOWN, void: UNKNOWN, refund: UNKNOWN },
  },
  {
    situation: 'the account is over its rate limit',
    meaning: 'rate_limit',
    played: [json(429)],
    allowed: UNAVAILABLE,
  },
  {
    situation: 'the provider does not know the credentials',
    meaning: 'wrong_credentials',
    played: [json(401)],
    allowed: { ...UNAVAILABLE, charge: ['unavailable', 'soft_declined'], credentials: ['refused'] },
  },
  {
    situation: 'the credentials lack a permission',
    meaning: 'permission',
    played: [json(403)],
    allowed: {
      ...UNAVAILABLE,
      charge: ['unavailable', 'soft_declined'],
      capture: FORBIDDEN,
      void: FORBIDDEN,
      refund: FORBIDDEN,
      credentials: ['refused', 'unknown'],
    },
  },
  {
    situation: 'the provider refuses the request',
    meaning: 'refused_request',
    played: [json(400), json(422), html(400)],
    allowed: REFUSED,
  },
  {
    situation: 'the transaction’s state does not allow the call',
    meaning: 'refused_state',
    allowed: { capture: ['refused'], void: ['refused'], refund: ['refused'] },
  },
  {
    situation: 'the account does not have the payment method',
    meaning: 'unusable_method',
    allowed: { charge: ['soft_declined'] },
  },
  {
    situation: 'the provider has no such object',
    meaning: 'not_found',
    played: [json(404)],
    allowed: { ...REFUSED, detach: ['not_found'] },
  },
];

/** The answers to play for a row. A message of the fixture's own body is replaced by a payer's text. */
export function playedFor(
  { answers = {} }: ProviderFixture,
  { meaning, played = [] }: AnswerRow,
): readonly PlayedAnswer[] {
  const own = meaning && answers[meaning];
  if (!own) return played;
  const rest = meaning === 'outage' || meaning === 'key_in_use' ? played : [];
  return [typeof own.body === 'object' ? { ...own, body: withPayersText(own.body) as object } : own, ...rest];
}

const FOR_PEOPLE = /message|detail|title|description/i;

function withPayersText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPayersText);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    typeof one === 'string' && FOR_PEOPLE.test(name) ? `${one} ${PAYERS_TEXT}` : withPayersText(one),
  ]);
  return Object.fromEntries(entries) as unknown;
}

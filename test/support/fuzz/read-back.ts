import type { Pool } from 'pg';
import type { Operation } from './openapi-operations.js';
import type { RawAnswer, RawRequest, Send } from './raw-request.js';

type Members = Record<string, unknown>;

/** Compares accepted requests with what can be read afterwards: by GET, and for payments in the webhook. */
export class ReadBack {
  readonly compared = { payments: 0, webhooks: 0, others: 0 };

  constructor(
    private readonly operations: readonly Operation[],
    private readonly send: Send,
    private readonly pool: Pool,
  ) {}

  /** `answer` is a 2xx. Empty if there is nothing to read. */
  async errors(operation: Operation, request: RawRequest, answer: RawAnswer): Promise<string[]> {
    const path = this.pathOf(operation, request, answer);
    if (path === undefined || operation.body === undefined) return [];
    const { status, text } = await this.send({ method: 'GET', path });
    if (status !== 200) return [`GET ${path} answers ${status}`];
    const got = (JSON.parse(text) as { data: Members }).data;
    const given = asRead(request.body);
    // a rollout and each of its stages have a reason of their own
    if (got['stages'] !== undefined) delete got['reason'];
    // scopes are answered in an order of their own
    for (const members of [got, given])
      if (Array.isArray(members['scopes'])) members['scopes'] = members['scopes'].toSorted();
    const missing = missingIn({ ...(got['definition'] as Members | undefined), ...got }, given);
    if (operation.name !== 'POST /payments') {
      this.compared.others += 1;
      return missing;
    }
    this.compared.payments += 1;
    return [...missing, ...(await this.webhookErrors(got, given))];
  }

  /**
   * The path to read: for PATCH the same path; for POST the path of one object in the collection, with the id from the
   * answer.
   */
  private pathOf({ method, path }: Operation, request: RawRequest, { text }: RawAnswer): string | undefined {
    const own = request.path.split('?')[0]!;
    if (method === 'PATCH') return own;
    if (method !== 'POST' || text === '') return undefined;
    const one = this.operations.find(
      (other) => other.method === 'GET' && /^\/\{\w+\}$/.test(suffixOf(other.path, path)),
    );
    if (!one) return undefined;
    const parameter = suffixOf(one.path, path).slice(2, -1);
    const { data } = JSON.parse(text) as { data: Members };
    return `${own}/${String(data[parameter.replace('Id', '_id')] ?? data[parameter] ?? data['id'])}`;
  }

  private async webhookErrors(payment: Members, given: Members): Promise<string[]> {
    if (payment['webhook_endpoint'] === null) return [];
    const { rows } = await this.pool.query<{ request_body: string }>(
      'SELECT request_body FROM all_deliveries WHERE payment_id = $1',
      [payment['id']],
    );
    this.compared.webhooks += rows.length;
    return rows.flatMap(({ request_body: text }) => {
      const body = JSON.parse(text) as { payment: Members; metadata: unknown; customer: unknown };
      const webhook = { ...body.payment, metadata: body.metadata, customer: body.customer };
      const { amount, currency, country, payment_session_id, metadata, customer } = given;
      // no webhook contains the merchant's own id of the customer
      const shownOf = { ...(customer as Members | undefined), reference: undefined };
      const shown = {
        ...{ amount, currency, country, payment_session_id, metadata },
        ...(customer !== undefined && { customer: definedIn(shownOf) }),
      };
      return missingIn(webhook, definedIn(shown)).map((error) => `webhook: ${error}`);
    });
  }
}

const suffixOf = (whole: string, start: string): string => (whole.startsWith(start) ? whole.slice(start.length) : '');

const definedIn = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The body as a JSON parser reads it, without what is not returned as given: the last value of a repeated key, and 0 for -0. */
function asRead(body: string | Buffer | undefined): Members {
  if (body === undefined || body.length === 0) return {};
  const isUnread = (key: string) => key === 'token' || key === 'payment_method';
  const read = (key: string, value: unknown) => (isUnread(key) ? undefined : value);
  return JSON.parse(JSON.stringify(JSON.parse(body.toString('utf8'))), read) as Members;
}

/**
 * Given fields that can be read and differ. Fields that are never returned, such as a secret, do not count. A field of a
 * body that is `null` counts as absent.
 */
const missingIn = (got: Members, given: Members): string[] =>
  Object.entries(given)
    .filter(
      ([field, value]) =>
        value !== null && Object.hasOwn(got, field) && !holds(got[field], value, field !== 'metadata'),
    )
    .map(([field, value]) => `${field}: given ${brief(value)}, got ${brief(got[field])}`);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A time is answered in UTC with milliseconds, also if its request has another zone or none. */
const isSameTime = (got: unknown, given: unknown): boolean =>
  typeof got === 'string' && typeof given === 'string' && TIME.test(given) && Date.parse(got) === Date.parse(given);

/** Whether they are equal; objects that are read may have more fields: ids and defaults. In metadata `null` is a value. */
function holds(got: unknown, given: unknown, isNullAbsent: boolean): boolean {
  if (typeof given !== 'object' || given === null) return Object.is(got, given) || isSameTime(got, given);
  if (typeof got !== 'object' || got === null) return false;
  if (Array.isArray(given)) {
    return (
      Array.isArray(got) &&
      got.length === given.length &&
      given.every((item, index) => holds(got[index], item, isNullAbsent))
    );
  }
  return Object.entries(given).every(([key, value]) => {
    if (isNullAbsent && value === null && !Object.hasOwn(got, key)) return true;
    return Object.hasOwn(got, key) && holds((got as Members)[key], value, isNullAbsent);
  });
}

const brief = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'nothing';

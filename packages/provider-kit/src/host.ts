/** A SQL text under a name of its own: it is prepared once per connection. */
export interface Statement {
  name: string;
  text: string;
}

interface Queryable {
  /** `bigint` arrives as number, `numeric` as text, times as `Date`. */
  query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>;
}

export interface HostTransaction extends Queryable {
  /** Calls `then` after the commit, and never without one. */
  onCommit(then: () => void): void;
}

/** The service's PostgreSQL. A connector writes tables of its own only, and never in a transaction of the service. */
export interface HostDatabase extends Queryable {
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (transaction: HostTransaction) => Promise<T>): Promise<T>;
  /** Lets concurrent calls share a run of `write`, which returns an output for each input. */
  grouped<Input, Output>(write: (inputs: Input[]) => Promise<Output[]>): (input: Input) => Promise<Output>;
}

type Log = (entry: { msg: string; [field: string]: unknown }) => void;

/** The service's means for a connector that is a company of its own, such as the sandbox. */
export interface ConnectorHost {
  readonly database: HostDatabase;
  readonly log: Readonly<Record<'debug' | 'warn' | 'error', Log>>;
  /** The address of the service for payers' browsers and for notifications, without a path. */
  readonly url: () => string;
}

/** A page, with its content security policy, or the address to which the payer's browser goes on. */
export type PayerPage = { html: string; policy: string } | { location: string };

/**
 * Pages for payers at `/providers/<name>/pages/<id>` of the service. Nothing but the unguessable id protects one.
 * `undefined`: there is no such page.
 */
export interface PayerPages {
  show(id: string): Promise<PayerPage | undefined>;
  /** Takes the page's form. Rejects with `ActionDataRefused` if its fields are wrong. */
  submit(id: string, fields: Readonly<Record<string, unknown>>): Promise<PayerPage | undefined>;
}

import pg from 'pg';

const SCHEMA = 'past_clock';
const CLOCKS = ['now', 'clock_timestamp', 'statement_timestamp'];

/** Sessions with this path find the functions and views of `SCHEMA` first: PostgreSQL's own clock is only the last one. */
const SEARCH_PATH = `-c search_path=${SCHEMA},public,pg_catalog`;

interface TimeDefault {
  table: string;
  column: string;
  expression: string;
}

/** $1 the names of the clocks */
const TIME_DEFAULTS = `SELECT c.relname AS table, a.attname AS column, pg_get_expr(d.adbin, d.adrelid) AS expression
  FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum JOIN pg_class c ON c.oid = d.adrelid
  WHERE c.relnamespace = 'public'::regnamespace AND pg_get_expr(d.adbin, d.adrelid) ~ ('\\m(' || array_to_string($1::text[], '|') || ')\\(')
  ORDER BY 1, 2`;

/**
 * A clock of PostgreSQL that one sets, for the sessions that connect with its `url`: the service's statements then write
 * and compare past times. Functions of a schema, which these sessions search first, replace PostgreSQL's clocks. Defaults
 * are bound to PostgreSQL's clocks, so views with defaults of their own hide the tables that have such ones. Other
 * sessions see none of it, also after a crash.
 */
export class PastClock {
  private constructor(
    private readonly client: pg.Client,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<PastClock> {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', SEARCH_PATH);
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    const clock = new PastClock(client, url.href);
    await clock.create();
    return clock;
  }

  private async create(): Promise<void> {
    await this.remove();
    await this.client.query(`CREATE SCHEMA ${SCHEMA}`);
    await this.client.query(`CREATE TABLE ${SCHEMA}.shift AS SELECT interval '0' AS by`);
    for (const clock of CLOCKS) {
      await this.client.query(
        `CREATE FUNCTION ${SCHEMA}.${clock}() RETURNS timestamptz LANGUAGE sql STABLE AS
          'SELECT pg_catalog.${clock}() + (SELECT by FROM ${SCHEMA}.shift)'`,
      );
    }
    // a view has no sequence
    await this.client.query(
      `CREATE FUNCTION ${SCHEMA}.pg_get_serial_sequence(relation text, attribute text) RETURNS text LANGUAGE sql STABLE AS
        $$ SELECT pg_catalog.pg_get_serial_sequence('public.' || relation, attribute) $$`,
    );
    // asked with PostgreSQL's own path: else it names the clocks in full
    await this.client.query('SET search_path = public');
    const { rows } = await this.client.query<TimeDefault>(TIME_DEFAULTS, [CLOCKS]);
    await this.client.query(`SET search_path = ${SCHEMA}, public, pg_catalog`);
    for (const table of new Set(rows.map((row) => row.table))) {
      await this.client.query(`CREATE VIEW ${SCHEMA}.${table} AS SELECT ctid, * FROM public.${table}`);
    }
    for (const { table, column, expression } of rows) {
      await this.client.query(`ALTER VIEW ${SCHEMA}.${table} ALTER COLUMN ${column} SET DEFAULT ${expression}`);
    }
  }

  /** Sets the time; it goes on from there. */
  async set(time: Date): Promise<void> {
    await this.client.query(`UPDATE ${SCHEMA}.shift SET by = $1::timestamptz - pg_catalog.clock_timestamp()`, [time]);
  }

  /** Runs a statement at the past time. */
  query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.client.query<R>(text, values).then(({ rows }) => rows);
  }

  /** Removes the clock; sessions with its `url` must have ended. */
  async stop(): Promise<void> {
    await this.remove();
    await this.client.end();
  }

  private async remove(): Promise<void> {
    await this.client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  }
}

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import type { Statement } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

// A server's JIT compiler takes plans above 100,000. On tables without statistics only a path that is switched off costs that
// much: 10,000,000,000 before version 18, which counts such paths instead.

const SRC = new URL('../../../src/', import.meta.url);
const MAX_COST = 20_000;

interface PlanNode {
  'Total Cost': number;
  Disabled?: boolean;
  Plans?: PlanNode[];
}

interface Explain {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

const isDisabled = ({ Disabled, Plans = [] }: PlanNode): boolean => Disabled === true || Plans.some(isDisabled);

/** Statements among the values that a module exports, also in records. */
function statementsIn(value: unknown): Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('text' in value && 'name' in value) return [value as Statement];
  return Object.values(value).flatMap(statementsIn);
}

async function allStatements(): Promise<Statement[]> {
  const files = readdirSync(fileURLToPath(SRC), { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.queries.ts')).map((file) => import(new URL(file, SRC).href));
  return (await Promise.all(modules)).flatMap(statementsIn);
}

/** PostgreSQL cannot prepare statements about transactions, and knows the costs only of the others. */
const isPlanned = ({ text }: Statement): boolean => !/^\s*(SAVEPOINT|ROLLBACK|RELEASE)\b/.test(text);

describe('on an empty database without statistics', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await configureSession(client);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Infinite for a path that is switched off. */
  async function costOf({ text }: Statement): Promise<number> {
    await client.query(`PREPARE planned AS ${text}`);
    const { rows } = await client.query<{ parameters: number }>(
      `SELECT cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name = 'planned'`,
    );
    const values = Array.from({ length: rows[0]!.parameters }, () => 'NULL').join(', ');
    const plan = await client.query<Explain>(`EXPLAIN (FORMAT JSON) EXECUTE planned ${values && `(${values})`}`);
    await client.query('DEALLOCATE planned');
    const root = plan.rows[0]!['QUERY PLAN'][0].Plan;
    return isDisabled(root) ? Infinity : root['Total Cost'];
  }

  it('no plan is dear enough for a compiler', async () => {
    const statements = (await allStatements()).filter(isPlanned);
    expect(statements.length).toBeGreaterThan(300);
    const dear: [string, number][] = [];
    for (const statement of statements) {
      const cost = await costOf(statement);
      if (cost > MAX_COST) dear.push([statement.name, cost]);
    }
    expect(dear).toEqual([]);
  });

  it('finds a plan that reads a whole table by a switched off path', async () => {
    expect(await costOf({ name: 'whole', text: 'SELECT installation FROM event_log' })).toBeGreaterThan(MAX_COST);
  });
});

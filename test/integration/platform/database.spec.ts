import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { Database } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

const PID = { name: 'test.pid', text: 'SELECT pg_backend_pid() AS pid' };
const NUMBER = { name: 'test.number', text: 'SELECT 1 AS number' };

describe('a transaction', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database({ driver: { master: test.pool } } as unknown as DataSource);
  });
  afterAll(() => test.drop());

  it('fails, and takes nothing else along, when its connection is lost between two statements', async () => {
    const work = database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ pid: number }>(PID);
      await test.pool.query('SELECT pg_terminate_backend($1)', [session!.pid]);
      await serverHasClosed(session!.pid);
      return transaction.query(NUMBER);
    });
    await expect(work).rejects.toThrow(/terminat|not queryable/i);
    expect(await database.query(NUMBER)).toEqual([{ number: 1 }]);
  });

  it('hears of a connection that is lost at the moment when the pool hands it on', async () => {
    await new Promise<void>((resolve) => {
      test.pool.connect((error, client, release) => {
        expect(error).toBeUndefined();
        // the last answer to one statement and the server's farewell can arrive in one piece
        expect(() => client!.emit('error', new Error('lost'))).not.toThrow();
        release();
        resolve();
      });
    });
  });

  async function serverHasClosed(pid: number): Promise<void> {
    for (;;) {
      const { rowCount } = await test.pool.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid]);
      if (rowCount === 0) return;
    }
  }
});

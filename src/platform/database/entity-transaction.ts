import type { EntityManager, ObjectLiteral, QueryResult } from 'typeorm';
import type { Statement, Transaction } from './database.js';

/** The transaction that a `manager` of TypeORM is in, for what is written through `Transaction`. */
export function transactionOf(manager: EntityManager): Transaction {
  const runner = manager.queryRunner;
  if (!runner?.isTransactionActive) throw new Error('the entity manager is in no transaction');
  return {
    inTransaction: true,
    query: async <Row>({ text }: Statement, values: unknown[] = []) => {
      const result = (await runner.query(text, values, true)) as QueryResult<ObjectLiteral>;
      return result.records as Row[];
    },
  };
}

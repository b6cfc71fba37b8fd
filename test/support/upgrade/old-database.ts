import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, type TestDatabase } from '../servers/database.js';

/** The receiver's port in old-database.sql. */
const RECEIVER = 'http://127.0.0.1:12999';
const FILE = fileURLToPath(new URL('old-database.sql', import.meta.url));

/** The client that created the data: the one of bench/support/product.ts, which wrote the file. */
export const OLD_CLIENT = { id: 'bench', secret: 'secret-of-the-bench-client' };

/** A database as processes of commit 03ffeb28 left it when they were just killed; its webhooks go to `receiverUrl`. */
export async function restoreOldDatabase(receiverUrl: string): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await database.pool.query((await readFile(FILE, 'utf8')).replaceAll(RECEIVER, receiverUrl));
  return database;
}

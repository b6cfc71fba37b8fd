import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.js';

const PARTIAL = '.partial';

/** Throws a `ConfigError` unless this process can write to the folder of RETENTION_ARCHIVE. */
export async function requireWritable(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const got = `'${dir}', to which this process cannot write (${code ?? 'no reason given'})`;
    throw new ConfigError('RETENTION_ARCHIVE', got, 'a folder that the workers can write to, or discard');
  }
}

/**
 * Writes lines to a new file `<dir>/<day>/<name>-<uuid>.jsonl`, and resolves when it is on the disk under this name. So rows
 * may be deleted after that: a process that dies in between leaves them in the archive and in the database. A process that
 * dies before leaves at most a file that ends in `.partial`, whose rows are still in the database. No two calls write one file.
 */
export async function writeArchive(dir: string, name: string, at: Date, lines: readonly string[]): Promise<string> {
  const folder = join(dir, at.toISOString().slice(0, 10));
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined;
  const path = join(folder, `${name}-${randomUUID()}.jsonl`);
  const file = await open(path + PARTIAL, 'wx', 0o600);
  try {
    await file.writeFile(lines.map((line) => `${line}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(path + PARTIAL, path);
  await syncFolder(folder);
  if (isNew) await syncFolder(dir);
  return path;
}

/** A rename is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

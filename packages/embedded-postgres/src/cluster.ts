// A cluster is a folder: data (from initdb), password (of the only role) and server.log. It is created under another name and
// renamed when complete. Of two concurrent processes one wins the rename, and a killed process leaves no partial cluster.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, copyBinaries, findBinaries } from './binaries.js';
import { UnusableFolderError } from './errors.js';
import { type Account, run, unprivilegedAccount } from './program.js';

/** An initialised cluster on disk; its server may run or not. */
export interface Cluster {
  binaries: Binaries;
  dataFolder: string;
  logFile: string;
  password: string;
  /** The account that PostgreSQL runs as; `undefined`: the one of this process. */
  account: Account | undefined;
}

/** The only role, a superuser, and its database. */
export const ROLE = 'app';
const UNFINISHED = 'postgres.new-';
const ABANDONED_AFTER_MS = 600_000;

/** The folder of the server's own files; it exists once the cluster is complete. */
const dataFolderOf = (dataDir: string): string => join(dataDir, 'postgres', 'data');

export const hasCluster = (dataDir: string): boolean => existsSync(dataFolderOf(dataDir));

/** Opens the cluster under `dataDir`, and creates it if it is missing. Safe in several concurrent processes. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  let binaries = await findBinaries();
  await mkdir(dataDir, { recursive: true }).catch(unusable(dataDir));
  const folder = join(dataDir, 'postgres');
  const dataFolder = dataFolderOf(dataDir);
  let account = await unprivilegedAccount();
  if (account) {
    await requireReachable(dataDir, account);
    if (!(await canReach(binaries.pgCtl, account))) binaries = await copyBinaries(binaries, dataDir);
  }
  const owner = await ownerOf(dataFolder).catch(unusable(dataDir));
  if (owner === undefined) await createCluster(binaries, dataDir, folder, account);
  // root may start a cluster that another user has created: the server only runs as the owner of its data
  else if (account && owner.uid !== account.uid) account = { name: `uid ${owner.uid}`, ...owner };
  const password = await readFile(join(folder, 'password'), 'utf8').catch(unusable(dataDir));
  return { binaries, dataFolder, logFile: join(folder, 'server.log'), password, account };
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function requireReachable(dataDir: string, account: Account): Promise<void> {
  if (await canReach(dataDir, account)) return;
  const needs = `a folder that the account '${account.name}' can enter, as root's PostgreSQL runs as that account`;
  throw new UnusableFolderError(dataDir, needs);
}

/** Whether the account may enter the folder or run the program. */
const canReach = (path: string, account: Account): Promise<boolean> =>
  run('test', ['-x', path], account).then(
    () => true,
    () => false,
  );

async function createCluster(binaries: Binaries, dataDir: string, folder: string, account?: Account): Promise<void> {
  await removeAbandoned(dataDir);
  const unfinished = await mkdtemp(join(dataDir, UNFINISHED)).catch(unusable(dataDir));
  try {
    await initialise(binaries, unfinished, account);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // the rename of another process was first, and its cluster is complete
    if ((await ownerOf(join(folder, 'data'))) === undefined) throw error;
  }
}

async function initialise(binaries: Binaries, folder: string, account?: Account): Promise<void> {
  const password = join(folder, 'password');
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account) for (const path of [folder, password]) await chown(path, account.uid, account.gid);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const login = ['--username', ROLE, '--pwfile', password, '--auth=scram-sha-256'];
  await run(binaries.initdb, ['-D', join(folder, 'data'), ...login, ...locale, '--no-instructions'], account);
}

/** Removes the unfinished clusters of processes that were killed during initdb. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of (await readdir(dataDir)).filter((entry) => entry.startsWith(UNFINISHED))) {
    const path = join(dataDir, name);
    const createdAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - createdAt > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Converts a file-system error to an `UnusableFolderError`. */
function unusable(dataDir: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === undefined) throw error;
    throw new UnusableFolderError(`${dataDir} (${error.code})`, 'a folder that this process may read and write');
  };
}

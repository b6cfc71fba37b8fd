import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { UnsupportedPlatformError } from './errors.js';

/** The unprivileged account that PostgreSQL runs as. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const ACCOUNT = 'postgres';
/** The variables that the operating system needs. The caller's secrets and PG* variables are not passed on. */
const INHERITED = ['PATH', 'HOME', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
const execute = promisify(execFile);

/** The account `postgres` for root, because PostgreSQL refuses to run as root. Created if missing. Otherwise `undefined`. */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (!(await exists(ACCOUNT))) await createAccount(ACCOUNT);
  const id = async (flag: string) => Number((await execute('id', [flag, ACCOUNT])).stdout);
  return { name: ACCOUNT, uid: await id('-u'), gid: await id('-g') };
}

const exists = (account: string): Promise<boolean> =>
  execute('id', ['-u', account]).then(
    () => true,
    () => false,
  );

async function createAccount(name: string): Promise<void> {
  const shell = '/usr/sbin/nologin';
  try {
    await execute('useradd', ['--system', '--user-group', '--no-create-home', '--shell', shell, name]);
  } catch (error) {
    // a concurrent process may have been first
    if (await exists(name)) return;
    throw new UnsupportedPlatformError(`root has no account '${name}' to run PostgreSQL as (${firstLine(error)})`);
  }
}

/** Runs a program to its end and resolves to its stderr; rejects with its stderr when it exits with an error. */
export function run(program: string, args: string[], account: Account | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(account && { uid: account.uid, gid: account.gid }),
      // the account may be unable to enter our working directory
      cwd: process.platform === 'win32' ? undefined : '/',
      // no pipes to stdin and stdout: the server that pg_ctl starts would keep them open
      stdio: ['ignore', 'ignore', 'pipe'],
      env: programEnvironment(),
      windowsHide: true,
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', (error) => reject(unreachable(program, account, error)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(errors);
      else reject(new Error(`${program} ended with ${code ?? signal}: ${errors.trim().replaceAll('\n', ' ')}`));
    });
  });
}

function unreachable(program: string, account: Account | undefined, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EACCES' && account) {
    return new UnsupportedPlatformError(
      `the account '${account.name}' cannot reach ${program}: root's PostgreSQL runs as that account`,
    );
  }
  // the program exists but its dynamic loader is missing: the system has another C library, such as musl
  if (error.code === 'ENOENT')
    return new UnsupportedPlatformError(`${program} does not run on this system (it needs glibc)`);
  return error;
}

const programEnvironment = (): Record<string, string | undefined> => ({
  ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
  LC_ALL: 'C',
  TZ: 'UTC',
});

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split('\n')[0]!;

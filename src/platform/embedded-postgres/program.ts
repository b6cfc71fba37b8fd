import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { programEnvironment } from '../config/environment.js';
import { cannotEmbed } from './binaries.js';

/** The unprivileged account that PostgreSQL runs as. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const ACCOUNT = 'postgres';
const execute = promisify(execFile);

/** PostgreSQL refuses to run as root: then the account `postgres`, made when missing; otherwise `undefined`, ourselves. */
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
    // another process that started with us may have been first
    if (await exists(name)) return;
    throw cannotEmbed(`root has no account '${name}' to run PostgreSQL as (${firstLine(error)})`);
  }
}

/** Runs a program to its end and resolves to what it printed; rejects with its own words when it exits with an error. */
export function run(program: string, args: string[], account: Account | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(account && { uid: account.uid, gid: account.gid }),
      // the account may be unable to enter our working directory
      cwd: process.platform === 'win32' ? undefined : '/',
      // never pipes to the server that pg_ctl leaves behind: they would stay open for its whole life
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
    return cannotEmbed(`the account '${account.name}' cannot reach ${program}: root's PostgreSQL runs as that account`);
  }
  // the program is there, its dynamic loader is not: another C library such as musl
  if (error.code === 'ENOENT') return cannotEmbed(`${program} does not run on this system (it needs glibc)`);
  return error;
}

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split('\n')[0]!;

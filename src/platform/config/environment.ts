import { loadEnvFile } from 'node:process';

/**
 * The process's environment, completed from `.env` in the working directory if it exists. Variables that are already
 * set win.
 */
export function loadEnvironment(): Record<string, string | undefined> {
  try {
    loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return process.env;
}

const NEEDED = ['PATH', 'HOME', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

/**
 * The environment for programs that we start: variables that the operating system needs, none of our secrets, and no
 * PG* variables, which would change the behaviour of PostgreSQL's tools.
 */
export function programEnvironment(): Record<string, string> {
  const inherited = NEEDED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}

import { loadEnvFile } from 'node:process';

/** The process's environment, completed from `.env` in the working directory when there is one. What is set already wins. */
export function loadEnvironment(): Record<string, string | undefined> {
  try {
    loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return process.env;
}

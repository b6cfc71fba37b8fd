import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;

export interface ServiceProcess {
  url: string;
  stop(): Promise<void>;
}

/** Starts `dist/main-all.js` as a user would and resolves with the address of its API once it listens. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const entry = fileURLToPath(new URL('../../main-all.js', import.meta.url));
  const child = spawn(process.execPath, [entry], {
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return { url: await listeningAddress(child), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** The demo brings its own settings: none of the caller's may point it at a real database, queue or client. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot };
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the service did not start within ${START_TIMEOUT_MS} ms`)),
      START_TIMEOUT_MS,
    );
    child.once('exit', (code) => reject(new Error(`the service ended with exit code ${code} before it listened`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = parseLogLine(line);
      if (entry?.msg === 'listening' && entry.process === 'api' && entry.address) {
        clearTimeout(timer);
        resolve(entry.address);
      }
    });
  });
}

function parseLogLine(line: string): { msg?: string; process?: string; address?: string } | undefined {
  try {
    return JSON.parse(line) as { msg?: string; process?: string; address?: string };
  } catch {
    return undefined; // not a log line: the banner
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

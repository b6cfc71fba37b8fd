import { rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

/** The servers that global-setup.mjs started. */
export interface TestServers {
  /** Removed at the end of the run, with its contents. */
  folder: string;
  /**
   * JavaScript of src/platform/{config,database}, src/shared and packages/embedded-postgres, for processes of tests.
   */
  compiled: string;
  databaseUrl: string;
  templateDatabase: string;
  redisUrl: string;
}

export function testServers(): TestServers {
  const servers = process.env.TEST_SERVERS;
  if (servers === undefined) throw new Error('no test servers: run the test in the project integration or e2e');
  return JSON.parse(servers) as TestServers;
}

/** A new folder that is removed at the end of the run; an embedded PostgreSQL that still runs in it is stopped. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(testServers().folder, 'folder-'));
  // PostgreSQL does not run as root; its account must be able to enter
  await chmod(folder, 0o711);
  return folder;
}

const noteOf = (pid: number): string => join(testServers().folder, 'processes', String(pid));

/**
 * Ensures that the process is killed at the end of the run, even if the test is killed. Outside of a test run it does
 * nothing.
 */
export function rememberProcess(pid: number | undefined): void {
  if (pid !== undefined && isTestRun()) writeFileSync(noteOf(pid), '');
}

export function forgetProcess(pid: number | undefined): void {
  if (pid !== undefined && isTestRun()) rmSync(noteOf(pid), { force: true });
}

const isTestRun = (): boolean => process.env.TEST_SERVERS !== undefined;

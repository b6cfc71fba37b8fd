import { execFileSync } from 'node:child_process';

/** Whether `docker compose` is installed, which can read a file without an engine. Logs a warning if not. */
export const isComposeInstalled = ((): boolean => {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('docker compose not found: docker-compose.yml was only checked as YAML');
    return false;
  }
})();

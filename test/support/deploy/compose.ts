import { execFileSync } from 'node:child_process';

/** Whether there is a `docker compose`; it needs no engine to read a file. That there is none is told. */
export const isComposeHere = ((): boolean => {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('docker compose not found: docker-compose.yml was checked as YAML alone');
    return false;
  }
})();

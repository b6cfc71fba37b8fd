import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** From Go's module proxy as source, so that every machine with Go gets the same Helm. */
const SOURCE = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const BUILD_MS = 600_000;

/**
 * The path of a Helm: the one in the variable `HELM`, `helm` from `PATH`, or one that `go install` builds once into the
 * user's cache. `undefined` without Helm and Go, or if Go cannot reach its proxy; then the chart is checked without
 * Helm.
 */
export function ensureHelmInstalled() {
  const built = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'payment-orchestrator', 'helm');
  const found = [process.env.HELM, 'helm', built].find(hasHelm);
  if (found !== undefined || !hasGo()) return found;
  mkdirSync(join(built, '..'), { recursive: true });
  try {
    execFileSync('go', ['install', SOURCE], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_MS,
      // -buildvcs: the caller's folder may be a checkout with an unrelated version
      env: { ...process.env, GOBIN: join(built, '..'), GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' },
    });
  } catch (error) {
    console.warn(`helm could not be built: ${String(error.stderr).trim().split('\n').at(-1)}`);
  }
  return [built].find(hasHelm);
}

function hasHelm(program) {
  if (program === undefined || (program.includes('/') && !existsSync(program))) return false;
  return runs(program, ['version', '--short']);
}

const hasGo = () => runs('go', ['version']);

function runs(program, args) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

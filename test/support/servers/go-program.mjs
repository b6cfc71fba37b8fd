import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const BUILD_MS = 600_000;
const BUILT = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'payment-orchestrator');

/**
 * A program that Go's module proxy has as source, so that every machine with Go gets the same one. `source`: package and
 * version. `check`: arguments with which it ends without an error. `otherwise`: other ways to install it.
 *
 * `installed` returns its path: the one in the variable of its name (`STRIPE_MOCK` for `stripe-mock`), the one from `PATH`,
 * or the one that `ensureInstalled` has built. Tests do not build it, because that takes minutes of both cores.
 */
export function goProgram({ name, source, check, needs, otherwise = '' }) {
  const variable = name.toUpperCase().replaceAll('-', '_');
  const find = () => [process.env[variable], name, join(BUILT, name)].find((program) => hasProgram(program, check));
  const installed = () => {
    const found = find();
    if (found !== undefined) return found;
    throw new Error(
      `${needs}, and was not found. Install it${otherwise} by \`go install ${source}\`; then put \`${name}\` into PATH or ` +
        `name the program in the variable ${variable}`,
    );
  };
  /** Builds it with `go install` into the user's cache if none is installed. Called by the install step of `.ci/run`. */
  const ensureInstalled = () => {
    if (find() === undefined && hasProgram('go', ['version'])) build(name, source);
    return installed();
  };
  return { installed, ensureInstalled };
}

function build(name, source) {
  mkdirSync(BUILT, { recursive: true });
  try {
    execFileSync('go', ['install', source], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_MS,
      // -buildvcs: the caller's folder may be a checkout with an unrelated version
      env: { ...process.env, GOBIN: BUILT, GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' },
    });
  } catch (error) {
    console.warn(`${name} could not be built: ${String(error.stderr).trim().split('\n').at(-1)}`);
  }
}

function hasProgram(program, check) {
  if (program === undefined || (program.includes('/') && !existsSync(program))) return false;
  try {
    execFileSync(program, check, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

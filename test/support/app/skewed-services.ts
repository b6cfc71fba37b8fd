import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../servers/servers.js';
import { preloading, type RunningService, type ServiceOptions, startService } from './service.js';

/** A process whose clock is wrong. */
export interface SkewedService extends RunningService {
  /** Sets how many ms its clock is ahead from now on, like a step of the machine's clock. */
  setSkew(ms: number): void;
}

export async function startSkewed(options: ServiceOptions, skewMs: number): Promise<SkewedService> {
  const file = join(await temporaryFolder(), 'skew');
  const setSkew = (ms: number): void => writeFileSync(file, String(ms));
  setSkew(skewMs);
  const env = {
    ...options.env,
    NODE_OPTIONS: `${options.env?.['NODE_OPTIONS'] ?? ''} ${preloading('skewed-clock.mjs')}`,
    CLOCK_SKEW: file,
  };
  const service = await startService({ ...options, env });
  // not a spread, which would call the service's getters
  return Object.assign(service, { setSkew });
}

import type { Logger } from 'pino';
import { type Config, loadConfig } from '../platform/config/config.js';
import { loadEnvironment } from '../platform/config/environment.js';
import { createLogger, standardOutput } from '../platform/observability/logger.js';
import { startTracing } from '../platform/tracing/start-tracing.js';
import { tracing } from '../platform/tracing/tracing.js';
import { warnOfFewFiles } from './open-files.js';
import { ProcessLifecycle } from './process-lifecycle.js';
import type { Role, RunningApplication } from './start-application.js';
import { isExpected, startFailureLine } from '../platform/config/config-error.js';

/** Runs once the applications of a main listen; `print` writes to stdout after the log lines so far. */
export type WhenListening = (
  running: RunningApplication[],
  config: Config,
  print: (text: string) => void,
) => Promise<void>;

/**
 * Runs `roles` in this process until a signal ends it. A failed start writes one line to stderr and exits with code 1.
 */
export async function run(roles: Role[], whenListening?: WhenListening): Promise<void> {
  let logger: Logger | undefined;
  try {
    const config = loadConfig(loadEnvironment());
    const output = standardOutput();
    const log = (logger = createLogger(config.logLevel, output, config.tracing && traceIds));
    const lifecycle = new ProcessLifecycle(log);
    warnOfFewFiles(roles, config, log);
    await lifecycle.start(async () => {
      if (config.tracing) {
        const started = await startTracing(config.tracing, log);
        lifecycle.closeLast(() => started.stop());
      }
      // loaded after the settings, so that an invalid one is reported at once
      const [
        { openDatabase },
        { absentProviders },
        { providerNames },
        { preload, startApplication, stopApplication, abortRequests },
      ] = await Promise.all([
        import('./open-database.js'),
        import('./absent-providers.js'),
        import('../providers/provider-modules.js'),
        import('./start-application.js'),
      ]);
      // not concurrently with the database: Node 22 and later block while they load modules, on a busy machine longer
      // than a connection may take
      await preload(roles);
      const names = await providerNames(config.providerModules, config.connectorSettings);
      const database = await openDatabase(
        config,
        (step) => log.info(step),
        (fault) => log.warn(fault),
      );
      lifecycle.closeLast(() => database.stop());
      const absent = await absentProviders(database.url, names, config.onAbsentProvider, log);
      const running: RunningApplication[] = [];
      for (const role of roles) {
        const application = await startApplication(role, { ...config, absentProviders: absent }, database.url, log);
        lifecycle.closeFirst({
          close: () => stopApplication(application),
          abort: () => abortRequests(application),
        });
        running.push(application);
      }
      await whenListening?.(running, config, (text) => output.write(text));
    });
  } catch (error) {
    if (!isExpected(error)) logger?.fatal({ err: error }, 'cannot start');
    process.stderr.write(`${startFailureLine(error)}\n`);
    process.exit(1);
  }
}

/** Additional fields of all log lines. */
const traceIds = (): object => tracing.ids() ?? {};

import type { Logger } from 'pino';
import { type Config, loadConfig } from '../platform/config/config.js';
import { loadEnvironment } from '../platform/config/environment.js';
import { createLogger, standardOutput } from '../platform/observability/logger.js';
import { startTracing } from '../platform/tracing/start-tracing.js';
import { tracing } from '../platform/tracing/tracing.js';
import { warnOfFewFiles } from './open-files.js';
import { ProcessLifecycle } from './process-lifecycle.js';
import type { Role, RunningApplication } from './start-application.js';
import { isForeseen, startFailureLine } from '../platform/config/config-error.js';

/** What a main may do once its applications listen; `print` writes to stdout behind the log lines so far. */
export type WhenListening = (
  running: RunningApplication[],
  config: Config,
  print: (text: string) => void,
) => Promise<void>;

/** Runs `roles` in this process until a signal ends it. A failed start is one line on stderr and exit code 1. */
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
      // loaded once the settings are known to be good: a wrong one is told at once
      const [{ openDatabase }, { preload, startApplication, stopApplication, abortRequests }] = await Promise.all([
        import('./open-database.js'),
        import('./start-application.js'),
      ]);
      // not at once: Node 22 and later stand still while they load modules, longer than a connection may take on a busy machine
      await preload(roles);
      const database = await openDatabase(
        config,
        (step) => log.info(step),
        (fault) => log.warn(fault),
      );
      lifecycle.closeLast(() => database.stop());
      const running: RunningApplication[] = [];
      for (const role of roles) {
        const application = await startApplication(role, config, database.url, log);
        lifecycle.closeFirst({
          close: () => stopApplication(application),
          abort: () => abortRequests(application),
        });
        running.push(application);
      }
      await whenListening?.(running, config, (text) => output.write(text));
    });
  } catch (error) {
    if (!isForeseen(error)) logger?.fatal({ err: error }, 'cannot start');
    process.stderr.write(`${startFailureLine(error)}\n`);
    process.exit(1);
  }
}

/** What log lines have besides their own fields. */
const traceIds = (): object => tracing.ids() ?? {};

import { endOnSignals, releaseSignals } from '../bootstrap/early-signals.js';

endOnSignals();
const [{ loadEnvironment }, { runCommandLine }] = await Promise.all([
  import('../platform/config/environment.js'),
  import('./command-line.js'),
]);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: loadEnvironment,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  releaseSignals,
});

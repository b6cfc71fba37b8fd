import { loadEnvironment } from '../platform/config/environment.js';
import { runCommandLine } from './command-line.js';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: loadEnvironment,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});

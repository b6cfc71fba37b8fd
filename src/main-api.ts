import { endOnSignals } from './bootstrap/early-signals.js';

endOnSignals();
const { run } = await import('./bootstrap/run.js');
await run(['api']);

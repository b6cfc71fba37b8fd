import { endOnSignals } from './bootstrap/early-signals.js';

endOnSignals();
const [{ welcome }, { run }] = await Promise.all([import('./bootstrap/welcome.js'), import('./bootstrap/run.js')]);
await run(['api', 'worker'], welcome);

import { welcome } from './bootstrap/welcome.js';
import { run } from './bootstrap/run.js';

await run(['api', 'worker'], welcome);

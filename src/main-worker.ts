import { run } from './bootstrap/run.js';

await run(['worker']);

import type { Command } from 'commander';
import { CommandError } from './terminal.js';

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('run the whole service on a temporary embedded database, and watch it route, deliver and retry')
    .action(async () => {
      // loaded when asked for: the other commands do without its receiver and its output
      const { runDemo } = await import('./demo/demo.js');
      if (!(await runDemo())) throw new CommandError('the demo failed');
    });
}

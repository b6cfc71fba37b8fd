import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { commandsOf } from './first-commands';

const known = { origin: 'http://127.0.0.1:3000', clientId: 'demo', shopId: undefined, flowName: undefined };

/** What a shell makes of the command's words. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; TOKEN=secret; ${command}`], { encoding: 'utf8' })
    .trim()
    .split('\n');

describe('the first commands', () => {
  it('are words that a shell takes, whatever the names', () => {
    const { payment } = commandsOf({ ...known, flowName: `it's "new" $HOME` });
    const words = wordsOf(payment);
    expect(words).toEqual([
      'http://127.0.0.1:3000/payments',
      '-H',
      'Authorization: Bearer secret',
      '-H',
      'Content-Type: application/json',
      '-d',
      `{"flow_name":"it's \\"new\\" $HOME","amount":49.9,"currency":"EUR"}`,
    ]);
  });

  it('use the shop and the flow that are there', () => {
    const { flow } = commandsOf({ ...known, shopId: 7 });
    expect(flow).toContain('"shops":[{"shop_id":7}]');
  });
});

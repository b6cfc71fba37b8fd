import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { commandsOf } from './first-commands';

const known = { origin: 'http://127.0.0.1:3000', clientId: 'demo', shopId: undefined, flowName: undefined };

/** The arguments of the command, as a shell parses them. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; TOKEN=secret; ${command}`], { encoding: 'utf8' })
    .trim()
    .split('\n');

describe('commandsOf', () => {
  it('quotes names with special characters for a shell', () => {
    const { payment } = commandsOf({ ...known, flowName: `it's "new" $HOME` });
    expect(argumentsOf(payment)).toEqual([
      'http://127.0.0.1:3000/payments',
      '-H',
      'Authorization: Bearer secret',
      '-H',
      'Content-Type: application/json',
      '-d',
      `{"flow_name":"it's \\"new\\" $HOME","amount":49.9,"currency":"EUR"}`,
    ]);
  });

  it('uses the existing shop', () => {
    const { flow } = commandsOf({ ...known, shopId: 7 });
    expect(flow).toContain('"shops":[{"shop_id":7}]');
  });
});

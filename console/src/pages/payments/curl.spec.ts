import { describe, expect, it } from '@jest/globals';
import { commandsOf, toCurl } from './curl';

describe('toCurl', () => {
  it('uses the token in $TOKEN', () => {
    expect(toCurl('https://api.example', { method: 'GET', path: '/payments/17' })).toBe(
      `curl 'https://api.example/payments/17' \\\n  -H "Authorization: Bearer $TOKEN"`,
    );
  });

  it('keeps quotes in a body', () => {
    const command = toCurl('http://a', { method: 'POST', path: '/payments/17/refund', body: { reason: "it's" } });
    expect(command).toContain(`-d '{"reason":"it'\\''s"}'`);
    expect(command).toContain(`curl -X POST 'http://a/payments/17/refund'`);
  });

  it('commandsOf returns a read and every action', () => {
    expect(commandsOf(17).map(([, { method, path }]) => `${method} ${path}`)).toEqual([
      'GET /payments/17',
      'POST /payments/17/capture',
      'POST /payments/17/cancel',
      'POST /payments/17/refunds',
      'POST /payments/17/sync',
    ]);
  });
});

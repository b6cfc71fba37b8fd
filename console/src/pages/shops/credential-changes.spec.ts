import { expect, it } from '@jest/globals';
import { credentialChanges } from './credential-changes';

const none: ReadonlySet<string> = new Set();

it('keeps what was left empty', () => {
  expect(credentialChanges({ typed: { secret_key: '', webhook_secret: '  ' }, removed: none })).toEqual({});
});

it('takes what was typed, without the space around it', () => {
  expect(credentialChanges({ typed: { secret_key: ' sk_test_1 ' }, removed: none })).toEqual({
    secret_key: 'sk_test_1',
  });
});

it('removes what was ticked, whatever was typed', () => {
  const removed = new Set(['webhook_secret']);
  expect(credentialChanges({ typed: { webhook_secret: 'whsec_1' }, removed })).toEqual({ webhook_secret: null });
});

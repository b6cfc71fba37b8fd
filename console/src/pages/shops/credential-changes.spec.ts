import { expect, it } from '@jest/globals';
import { credentialChanges } from './credential-changes';

const none: ReadonlySet<string> = new Set();

it('credentialChanges omits empty fields', () => {
  expect(credentialChanges({ typed: { secret_key: '', webhook_secret: '  ' }, removed: none })).toEqual({});
});

it('credentialChanges takes typed texts without the white space around them', () => {
  expect(credentialChanges({ typed: { secret_key: ' sk_test_1 ' }, removed: none })).toEqual({
    secret_key: 'sk_test_1',
  });
});

it('credentialChanges sends the word true as the value of a switch', () => {
  expect(credentialChanges({ typed: { any_token: 'true', account: 'eu' }, removed: none })).toEqual({
    any_token: true,
    account: 'eu',
  });
});

it('credentialChanges removes a selected credential even if a text was typed', () => {
  const removed = new Set(['webhook_secret']);
  expect(credentialChanges({ typed: { webhook_secret: 'whsec_1' }, removed })).toEqual({ webhook_secret: null });
});

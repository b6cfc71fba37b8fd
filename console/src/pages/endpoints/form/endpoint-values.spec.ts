import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { changesOf, createBody, NEW_ENDPOINT, valuesOf } from './endpoint-values';

const URL = 'https://merchant.example/webhooks';

describe('createBody', () => {
  it('leaves out what was not filled in', () => {
    expect(createBody({ ...NEW_ENDPOINT, url: ` ${URL} `, headers: [{ key: 0, name: '', value: ' ' }] })).toEqual({
      url: URL,
      event_types: ['payment.status_changed'],
      format: 'json',
      redeliver_on_recovery: true,
    });
  });

  it('takes only the fields of the chosen authentication, and keeps white space of a password', () => {
    const auth = { username: ' orders ', password: ' p w ', token: 'of-another-type' };
    expect(createBody({ ...NEW_ENDPOINT, url: URL, authType: 'basic', auth }).auth).toEqual({
      type: 'basic',
      username: 'orders',
      password: ' p w ',
    });
    const client = { token_url: URL, client_id: 'a', client_secret: 'b', scope: '' };
    expect(createBody({ ...NEW_ENDPOINT, url: URL, authType: 'oauth2_client_credentials', auth: client }).auth).toEqual(
      { type: 'oauth2_client_credentials', token_url: URL, client_id: 'a', client_secret: 'b' },
    );
  });

  it('sends the chosen shops, the headers by name, the pace and the secret', () => {
    const headers = [{ key: 3, name: 'X-One', value: '1' }];
    const values = { ...NEW_ENDPOINT, url: URL, isForAllShops: false, shopIds: [2, 3], headers, maxPerSecond: '50' };
    expect(createBody({ ...values, secret: 'a-secret-of-24-characters' })).toMatchObject({
      shop_ids: [2, 3],
      headers: { 'X-One': '1' },
      max_per_second: 50,
      secret: 'a-secret-of-24-characters',
    });
  });
});

describe('changesOf', () => {
  const opened = valuesOf({
    url: URL,
    description: 'Orders',
    shop_ids: [2],
    event_types: ['payment.status_changed'],
    format: 'json',
    header_names: ['X-One'],
    auth: { type: 'basic', username: 'orders', token_url: null, client_id: null, scope: null },
    max_per_second: 5,
    redeliver_on_recovery: true,
  } as Schema<'Endpoint'>);

  it('sends nothing if nothing was changed', () => {
    expect(changesOf(opened, opened)).toEqual({});
  });

  it('sends only changed fields, and `null` for removed ones', () => {
    const cleared = { ...opened, description: ' ', isForAllShops: true, maxPerSecond: '' };
    expect(changesOf(opened, cleared)).toEqual({ description: null, shop_ids: null, max_per_second: null });
    expect(changesOf(opened, { ...opened, redeliversOnRecovery: false })).toEqual({ redeliver_on_recovery: false });
  });

  it('replaces headers and authentication only if the user does not keep them', () => {
    const typed = { ...opened, headers: [{ key: 0, name: 'X-Two', value: '2' }], auth: { password: 'secret' } };
    expect(changesOf(opened, typed)).toEqual({});
    const replaced = { ...typed, keepsHeaders: false, keepsAuth: false, authType: 'none' as const };
    expect(changesOf(opened, replaced)).toEqual({ headers: { 'X-Two': '2' }, auth: null });
  });

  it('adds headers and authentication to an endpoint without them', () => {
    const bare = { ...opened, keepsHeaders: false, headers: [], keepsAuth: false, authType: 'none' as const };
    expect(changesOf(bare, bare)).toEqual({});
    const auth = { ...bare, authType: 'bearer' as const, auth: { token: 'a-token' } };
    expect(changesOf(bare, auth)).toEqual({ auth: { type: 'bearer', token: 'a-token' } });
  });
});

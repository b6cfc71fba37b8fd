import { describe, expect, it } from '@jest/globals';
import { shopChanges } from './shop-changes';

const opened = { name: 'Berlin', provider_account: 'eu', enabled: true };

describe('shopChanges', () => {
  it.each([
    ['a name', { name: 'Paris' }],
    ['the label of the account', { provider_account: 'us' }],
    ['whether it takes payments', { enabled: false }],
    ['two fields', { name: 'Paris', enabled: false }],
    ['nothing', {}],
  ])('returns only changed fields: %s', (_, changed) => {
    expect(shopChanges(opened, { ...opened, ...changed })).toEqual(changed);
  });
});

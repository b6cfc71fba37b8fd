import { describe, expect, it } from '@jest/globals';
import { shopChanges } from './shop-changes';

const opened = { name: 'Berlin', enabled: true };

describe('shopChanges', () => {
  it.each([
    ['a name', { name: 'Paris', enabled: true }, { name: 'Paris' }],
    ['whether it takes payments', { name: 'Berlin', enabled: false }, { enabled: false }],
    ['both', { name: 'Paris', enabled: false }, { name: 'Paris', enabled: false }],
    ['nothing', opened, {}],
  ])('returns only changed fields: %s', (_, typed, sent) => {
    expect(shopChanges(opened, typed)).toEqual(sent);
  });
});

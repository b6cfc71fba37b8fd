import { describe, expect, it } from '@jest/globals';
import { shopChanges } from './shop-changes';

const opened = { name: 'Berlin', enabled: true };

describe('editing a shop', () => {
  it.each([
    ['a name', { name: 'Paris', enabled: true }, { name: 'Paris' }],
    ['whether it takes payments', { name: 'Berlin', enabled: false }, { enabled: false }],
    ['both', { name: 'Paris', enabled: false }, { name: 'Paris', enabled: false }],
    ['nothing', opened, {}],
  ])('sends what was changed alone: %s', (_, typed, sent) => {
    expect(shopChanges(opened, typed)).toEqual(sent);
  });
});

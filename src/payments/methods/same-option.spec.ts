import { describe, expect, it } from '@jest/globals';
import { hasAll, sharesToken } from './same-option.js';

const at = (account: string | undefined, token: string, provider = 'stripe') => ({
  provider,
  token,
  ...(account !== undefined && { account }),
});

describe('an entry with saved tokens', () => {
  it.each([
    [[at('eu', 'a')], [at('eu', 'a')], true],
    [[at('eu', 'a'), at('us', 'b')], [at('us', 'b')], true],
    [[at('eu', 'a'), at('us', 'b')], [at('us', 'b'), at('eu', 'a')], true],
    [[at('eu', 'a')], [at('eu', 'a'), at('us', 'b')], false],
    [[at('eu', 'a')], [at('us', 'a')], false],
    [[at('eu', 'a')], [at(undefined, 'a')], false],
    [[at('eu', 'a')], [at('eu', 'b')], false],
    [[at('eu', 'a')], [at('eu', 'a', 'adyen')], false],
  ])('%j has all of %j: %s', (entry, options, expected) => {
    expect(hasAll(entry, options)).toBe(expected);
  });

  it.each([
    [[at('eu', 'a')], at('eu', 'a'), true],
    [[at('eu', 'a'), at('us', 'b')], at('us', 'b'), true],
    [[at(undefined, 'a')], at('eu', 'a'), true],
    [[at('eu', 'a')], at(undefined, 'a'), true],
    [[at('eu', 'a')], at('us', 'a'), false],
    [[at('eu', 'a')], at('eu', 'b'), false],
    [[at('eu', 'a', 'adyen')], at('eu', 'a'), false],
    [[], at('eu', 'a'), false],
  ])('%j shares the token of %j: %s', (entry, option, expected) => {
    expect(sharesToken(entry, option)).toBe(expected);
  });
});

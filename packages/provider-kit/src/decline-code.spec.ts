import { expect, it } from '@jest/globals';
import { DECLINE_CODES } from './decline-code.js';

it('DECLINE_CODES contains each code once', () => expect(new Set(DECLINE_CODES).size).toBe(DECLINE_CODES.length));

import { describe, expect, it } from '@jest/globals';
import { TimedOut } from '../../shared/clock.js';
import { placeOf, reasonOf } from './thrown-error.js';

const TEXT = 'card 4242\n    at secret (file.js:1:1)';
const withStack = (message: unknown, stack: unknown) => Object.assign(new Error('m'), { message, stack });

describe('errors that an adapter throws', () => {
  it.each([
    ['its name', new TypeError(TEXT), 'TypeError'],
    ['its name and code', Object.assign(new Error(TEXT), { code: 'ECONNRESET' }), 'Error ECONNRESET'],
    ['our own text', new TimedOut('no answer within 5 ms'), 'no answer within 5 ms'],
    ['no other text', TEXT, 'unknown'],
    ['no code that is a text', { name: TEXT, code: 7 }, 'unknown'],
    ['nothing', undefined, 'unknown'],
  ])('an error has as reason %s', (_, error, reason) => expect(reasonOf(error)).toBe(reason));

  it.each([
    [
      'its first frame',
      withStack('m', 'Error: m\n    at read (/app/acme.js:3:7)\n    at b (b.js:1:1)'),
      'at read (/app/acme.js:3:7)',
    ],
    ['no frame of its text', withStack(TEXT, `Error: ${TEXT}\n    at /app/acme.js:3:7`), 'at /app/acme.js:3:7'],
    ['nothing if the text was changed', withStack('other', `Error: ${TEXT}`), undefined],
    ['nothing without frames', withStack(TEXT, `Error: ${TEXT}`), undefined],
    ['nothing for an odd stack', withStack('m', 7), undefined],
    ['nothing for a text', TEXT, undefined],
    ['nothing for nothing', undefined, undefined],
  ])('an error has as place %s', (_, error, place) => expect(placeOf(error)).toBe(place));
});

import { describe, expect, it } from '@jest/globals';
import { rotate, type Rotation, type StoredSecrets } from './secret-rotation.js';

const [OLD, ONE, TWO] = ['old', 'one', 'two'].map((secret) => Buffer.from(secret)) as [Buffer, Buffer, Buffer];
const NOW = new Date('2026-11-22T00:00:00.000Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

const FRESH: StoredSecrets = { latest: OLD, activeFrom: null, previous: null, previousExpiresAt: null };
/** ONE signs since ten minutes, OLD is valid for another ten. */
const ROTATED: StoredSecrets = { latest: ONE, activeFrom: at(-600), previous: OLD, previousExpiresAt: at(600) };
/** ONE signs in ten minutes, OLD until then and an hour longer. */
const ANNOUNCED: StoredSecrets = { latest: ONE, activeFrom: at(600), previous: OLD, previousExpiresAt: at(4_200) };

const rotation = (fields: Partial<Rotation>): Rotation => ({
  sealed: TWO,
  isRepeated: false,
  overlapSeconds: 60,
  activateInSeconds: 0,
  ...fields,
});

describe('a rotation of the webhook secret', () => {
  it.each([
    ['at once', {}, { activeFrom: null, previous: OLD, previousExpiresAt: at(60) }],
    [
      'at once, without an overlap',
      { overlapSeconds: 0 },
      { activeFrom: null, previous: null, previousExpiresAt: null },
    ],
    ['later', { activateInSeconds: 30 }, { activeFrom: at(30), previous: OLD, previousExpiresAt: at(90) }],
    [
      'later, without an overlap',
      { activateInSeconds: 30, overlapSeconds: 0 },
      { activeFrom: at(30), previous: OLD, previousExpiresAt: at(30) },
    ],
  ])('takes effect %s', (_, fields, expected) => {
    expect(rotate(FRESH, rotation(fields), NOW)).toEqual({ latest: TWO, ...expected });
  });

  it('replaces the one that overlaps', () => {
    expect(rotate(ROTATED, rotation({}), NOW)).toMatchObject({ latest: TWO, previous: ONE, previousExpiresAt: at(60) });
  });

  it.each([0, 30])('replaces what was announced only: %i s later, the signing secret stays', (activateInSeconds) => {
    expect(rotate(ANNOUNCED, rotation({ activateInSeconds }), NOW)).toMatchObject({ latest: TWO, previous: OLD });
  });

  it('takes back what was announced with the signing secret itself', () => {
    expect(rotate(ANNOUNCED, rotation({ sealed: OLD }), NOW)).toMatchObject({ latest: OLD, activeFrom: null });
  });

  describe('that is repeated', () => {
    const again = (fields: Partial<Rotation> = {}) => rotation({ sealed: ONE, isRepeated: true, ...fields });

    it('leaves the one before valid', () => {
      expect(rotate(ROTATED, again(), NOW)).toMatchObject({ latest: ONE, previous: OLD, previousExpiresAt: at(60) });
    });

    it('does not take back that the secret signs', () => {
      expect(rotate(ROTATED, again({ activateInSeconds: 30 }), NOW).activeFrom).toBeNull();
    });

    it('announces anew what does not sign yet', () => {
      const expected = { latest: ONE, activeFrom: at(30), previous: OLD, previousExpiresAt: at(90) };
      expect(rotate(ANNOUNCED, again({ activateInSeconds: 30 }), NOW)).toEqual(expected);
    });

    it('ends the overlap when asked for none', () => {
      expect(rotate(ROTATED, again({ overlapSeconds: 0 }), NOW)).toMatchObject({
        previous: null,
        previousExpiresAt: null,
      });
    });

    it('brings no secret back whose time was over', () => {
      const ended = { ...ROTATED, previousExpiresAt: at(-1) };
      expect(rotate(ended, again(), NOW)).toMatchObject({ previous: null, previousExpiresAt: null });
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { rotate, type Rotation, type StoredSecrets } from './secret-rotation.js';

const [OLD, ONE, TWO] = ['old', 'one', 'two'].map((secret) => Buffer.from(secret)) as [Buffer, Buffer, Buffer];
const NOW = new Date('2026-11-22T00:00:00.000Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

const FRESH: StoredSecrets = { latest: OLD, activeFrom: null, previous: null, previousExpiresAt: null };
/** ONE has been signing for ten minutes, OLD is valid for another ten. */
const ROTATED: StoredSecrets = { latest: ONE, activeFrom: at(-600), previous: OLD, previousExpiresAt: at(600) };
/** ONE begins to sign in ten minutes, OLD is valid until an hour after that. */
const ANNOUNCED: StoredSecrets = { latest: ONE, activeFrom: at(600), previous: OLD, previousExpiresAt: at(4_200) };

const rotation = (fields: Partial<Rotation>): Rotation => ({
  encrypted: TWO,
  isRepeated: false,
  overlapSeconds: 60,
  activateInSeconds: 0,
  ...fields,
});

describe('rotation of the webhook secret', () => {
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

  it('replaces the previous secret', () => {
    expect(rotate(ROTATED, rotation({}), NOW)).toMatchObject({ latest: TWO, previous: ONE, previousExpiresAt: at(60) });
  });

  it.each([0, 30])(
    'replaces a secret that was only announced: %i s later, the signing secret stays',
    (activateInSeconds) => {
      expect(rotate(ANNOUNCED, rotation({ activateInSeconds }), NOW)).toMatchObject({ latest: TWO, previous: OLD });
    },
  );

  it('cancels an announcement when it gives the signing secret', () => {
    expect(rotate(ANNOUNCED, rotation({ encrypted: OLD }), NOW)).toMatchObject({ latest: OLD, activeFrom: null });
  });

  describe('repeated rotation', () => {
    const again = (fields: Partial<Rotation> = {}) => rotation({ encrypted: ONE, isRepeated: true, ...fields });

    it('keeps the previous secret valid', () => {
      expect(rotate(ROTATED, again(), NOW)).toMatchObject({ latest: ONE, previous: OLD, previousExpiresAt: at(60) });
    });

    it('keeps a signing secret active', () => {
      expect(rotate(ROTATED, again({ activateInSeconds: 30 }), NOW).activeFrom).toBeNull();
    });

    it('announces a secret again that does not sign yet', () => {
      const expected = { latest: ONE, activeFrom: at(30), previous: OLD, previousExpiresAt: at(90) };
      expect(rotate(ANNOUNCED, again({ activateInSeconds: 30 }), NOW)).toEqual(expected);
    });

    it('ends the overlap when it asks for none', () => {
      expect(rotate(ROTATED, again({ overlapSeconds: 0 }), NOW)).toMatchObject({
        previous: null,
        previousExpiresAt: null,
      });
    });

    it('restores no expired secret', () => {
      const ended = { ...ROTATED, previousExpiresAt: at(-1) };
      expect(rotate(ended, again(), NOW)).toMatchObject({ previous: null, previousExpiresAt: null });
    });
  });
});

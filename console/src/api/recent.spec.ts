import { beforeEach, describe, expect, it } from '@jest/globals';
import { forgetRecent, recentOf, remember } from './recent';

/** Like the browser's: the keys are its own properties. */
class Storage {
  [key: string]: unknown;
  getItem(key: string): unknown {
    return this[key] ?? null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}

const payment = (id: number) => ({ label: `Payment ${id}`, to: `/payments/${id}` });
const labels = (merchantId: number): string[] => recentOf(merchantId).map(({ label }) => label);

beforeEach(() => {
  globalThis.localStorage = new Storage() as never;
});

describe('recent objects', () => {
  it('keep the last five, each once, the latest first', () => {
    for (const id of [1, 2, 3, 4, 5, 6, 4]) remember(1, payment(id));
    expect(labels(1)).toEqual([4, 6, 5, 3, 2].map((id) => `Payment ${id}`));
  });

  it('belong to one merchant', () => {
    remember(1, payment(7));
    expect([labels(1), labels(2)]).toEqual([['Payment 7'], []]);
  });

  it('contain no text that was searched for', () => {
    const search = { customer_email: 'ada@example.com' };
    remember(1, { label: 'All payments with ada@example.com', to: '/payments', search });
    remember(1, { ...payment(7), detail: 'ada@example.com' } as never);
    expect(JSON.stringify(localStorage)).not.toContain('ada');
    expect(labels(1)).toEqual(['Payment 7']);
  });

  it('forgetRecent removes those of all merchants, and nothing else', () => {
    localStorage.setItem('console.theme', 'dark');
    for (const merchant of [1, 2]) remember(merchant, payment(7));
    forgetRecent();
    expect(Object.keys(localStorage)).toEqual(['console.theme']);
  });

  it('recentOf is empty if the stored text is no list', () => {
    localStorage.setItem('console.recent.1', '{');
    expect(recentOf(1)).toEqual([]);
  });
});

import { OAuthError } from './oauth-error.js';

const AT_ONCE = 2;
const MAX_WAITING = 100;

/**
 * Bounds how much of the process password hashing takes: scrypt runs in Node's four worker threads, which DNS look-ups
 * of webhook deliveries need too. Work beyond `MAX_WAITING` is refused with the
 * `OAuthError` `too_many_requests`.
 */
export class HashingQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < AT_ONCE) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= MAX_WAITING) {
      throw new OAuthError('too_many_requests', 'too many tokens are asked for', { retryAfterSeconds: 2 });
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Hands the place over to the next in line, so that nobody overtakes. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}

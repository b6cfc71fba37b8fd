import assert from 'node:assert/strict';
import { type Receiver, startReceiver } from '../servers/receiver.js';

interface Held {
  path: string;
  body: string;
  signature: string;
}

/** Between the sandbox and the API: takes the sandbox's notifications, and brings them when it is told to. */
export class DeferredNotifications {
  /** Where the API is. */
  target = '';
  /** They pass at once. */
  isOpen = false;
  private held: Held[] = [];

  private constructor(private readonly receiver: Receiver) {
    receiver.respondWith(async ({ url, body, headers }) => {
      const notification = { path: url, body: body.toString(), signature: String(headers['signature']) };
      if (this.isOpen) return this.send(notification);
      this.held.push(notification);
      return 200;
    });
  }

  static async start(): Promise<DeferredNotifications> {
    return new DeferredNotifications(await startReceiver());
  }

  get url(): string {
    return this.receiver.url;
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  /** All that is held: each so many times, in this order or the other. */
  async release({ times, isReversed }: { times: number; isReversed: boolean }): Promise<void> {
    const released = this.held.splice(0);
    if (isReversed) released.reverse();
    for (const notification of released) {
      for (let time = 0; time < times; time++) assert.equal(await this.send(notification), 200);
    }
  }

  private async send({ path, body, signature }: Held): Promise<number> {
    const headers = { 'content-type': 'application/json', signature };
    const response = await fetch(this.target + path, { method: 'POST', body, headers });
    await response.body?.cancel();
    return response.status;
  }
}

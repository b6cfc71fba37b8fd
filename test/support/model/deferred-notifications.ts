import assert from 'node:assert/strict';
import { type Receiver, startReceiver } from '../servers/receiver.js';

interface Held {
  path: string;
  body: string;
  signature: string;
}

/** A relay between the sandbox and the API: holds the sandbox's notifications until the test releases them. */
export class DeferredNotifications {
  /** The origin of the API. */
  target = '';
  /** Whether notifications are forwarded at once. */
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

  /** Forwards all held notifications, each `times` times, in order or reversed. */
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

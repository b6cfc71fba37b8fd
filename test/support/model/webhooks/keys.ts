import { createPublicKey, verify } from 'node:crypto';
import type { ReceivedRequest } from '../../servers/receiver.js';
import { CLAIMED_BEFORE_MS } from './secrets.js';

/** The keys that sign webhooks between two changes; times in ms since 1970. */
interface State {
  keys: readonly string[];
  from: number;
  to: number;
  /** From then on only the first key signs. */
  expiresAt: number;
}

/** A shop's public keys, each by its `x`, as published after each change. */
export class KeyHistory {
  private readonly states: State[] = [{ keys: [], from: 0, to: Infinity, expiresAt: Infinity }];

  get isNone(): boolean {
    return this.states.at(-1)!.keys.length === 0;
  }

  /** Returns what is wrong with the published keys. */
  changed(
    keys: readonly string[],
    { signing, overlap }: { signing: string; overlap: number },
    from: number,
    to: number,
  ): string[] {
    const before = this.states.at(-1)!;
    before.to = to;
    const isNew = signing === 'another_key';
    this.states.push({ keys, from, to: Infinity, expiresAt: isNew ? from + overlap * 1_000 : before.expiresAt });
    const [key, previous] = keys;
    if (signing === 'shared_secret') return keys.length === 0 ? [] : ['keys are published for a shop without keys'];
    if (signing === 'public_key') return before.keys.length > 0 ? same(key, before.keys[0]) : same(keys.length, 1);
    return [...same(key === before.keys[0], false), ...(overlap === 3_600 ? same(previous, before.keys[0]) : [])];
  }

  /** Checks the signatures of a request that was not claimed before `since`. */
  wrongWith({ headers, body, arrivedAt }: ReceivedRequest, since: number): string[] {
    const claimedFrom = Math.max(since, arrivedAt - CLAIMED_BEFORE_MS);
    const content = Buffer.concat([
      Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`),
      body,
    ]);
    const signatures = [...String(headers['webhook-signature']).matchAll(/v1a,(\S+)/g)].map(([, text]) => text!);
    const isRight = this.states.some(({ keys, from, to, expiresAt }) => {
      if (from > arrivedAt || to < claimedFrom) return false;
      const isOver = arrivedAt >= expiresAt;
      const isLate = claimedFrom >= expiresAt + 1_000;
      return (
        (!isLate && isSigned(content, signatures, keys)) || (isOver && isSigned(content, signatures, keys.slice(0, 1)))
      );
    });
    return isRight ? [] : [`${String(headers['webhook-id'])} is signed with other keys than the shop's`];
  }
}

const same = (one: unknown, other: unknown): string[] =>
  one === other ? [] : [`${String(one)} is published instead of ${String(other)}`];

const isSigned = (content: Buffer, signatures: readonly string[], keys: readonly string[]): boolean =>
  signatures.length === keys.length &&
  keys.every((x, index) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, content, key, Buffer.from(signatures[index]!, 'base64'));
  });

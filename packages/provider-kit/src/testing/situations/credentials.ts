import assert from 'node:assert/strict';
import { type Situation, under, Unexpected } from '../finding.js';
import { begin, canEndAs, operationOn, plays, soon } from '../steps.js';

/** Odd additions to a value that no credential has, and that a header or a path must not get. */
const ODD = [
  (value: string) => `${value}\r\nx-other: 1`,
  (value: string) => `x\n${value}`,
  (value: string) => `${value} `,
];

export const CREDENTIALS: Situation[] = under('the-module', {
  'the credentials are right, revoked or of another account': async (fixture) => {
    const { provider, credentials, revoked, secondAccount } = fixture;
    const right = await provider.checkCredentials(credentials, soon());
    if (right.outcome !== 'accepted') throw new Unexpected('accepted', right, 'the right ones');
    if (secondAccount) {
      assert.deepEqual(provider.validateCredentials(secondAccount.credentials), []);
      const other = await provider.checkCredentials(secondAccount.credentials, soon());
      if (other.outcome !== 'accepted') throw new Unexpected('accepted', other, 'those of another account');
    }
    if (!plays(fixture, 'credentials', 'revoked', revoked)) return;
    assert.deepEqual(provider.validateCredentials(revoked!), []);
    const answer = await provider.checkCredentials(revoked!, soon());
    if (answer.outcome !== 'refused') throw new Unexpected('refused', answer, 'revoked ones');
    const names = new Set(provider.credentialFields.map(({ name }) => name));
    if (answer.errors.length === 0 || answer.errors.some(({ field }) => !names.has(field)))
      throw new Unexpected('errors of known credentials', answer.errors, 'revoked ones');
    const charge = await provider.charge(fixture.request('approved', { credentials: revoked! }), soon());
    if (!['unavailable', 'soft_declined'].includes(charge.outcome))
      throw new Unexpected('unavailable', charge, 'a charge with revoked ones');
    const begun = await begin(fixture, 'approved');
    const refund = await provider
      .refund({ ...operationOn(begun), credentials: revoked! }, soon())
      .catch((error: unknown) => error as Error);
    if (refund instanceof Error || refund.outcome !== 'refused' || refund.isUnavailable !== true)
      throw new Unexpected('refused, unavailable', refund, 'a refund with revoked ones');
  },

  'credentials have lines, spaces or the values of headers in them': ({ provider, credentials }) => {
    for (const { name, usedFor } of provider.credentialFields) {
      const value = credentials[name];
      if (typeof value !== 'string' || usedFor !== 'calls') continue;
      for (const odd of ODD.map((change) => change(value)))
        if (!provider.validateCredentials({ ...credentials, [name]: odd }).some(({ field }) => field === name))
          throw new Unexpected('an error', 'none', `${name}: ${JSON.stringify(odd.replace(value, '<the value>'))}`);
    }
  },

  'a wrong credential is refused without repeating it': ({ provider, credentials }) => {
    for (const { name } of provider.credentialFields) {
      const errors = provider.validateCredentials({ ...credentials, [name]: 'wrong 7f3a!' });
      if (JSON.stringify(errors).includes('wrong 7f3a!'))
        throw new Unexpected('a message without the value', errors, name);
    }
    for (const name of ['constructor', '__proto__x', 'toString'])
      assert.deepEqual(
        provider.validateCredentials({ ...credentials, [name]: 'x' }).map(({ field }) => field),
        [name],
      );
  },

  'a credential that proves who calls is a secret': async (fixture) => {
    const { provider, credentials, wire } = fixture;
    if (!wire) return;
    const from = wire.exchanges.length;
    await begin(fixture, 'approved');
    const headers = wire.exchanges.slice(from).flatMap(({ request }) => Object.entries(request.headers));
    const identifying = headers.filter(([name]) => /authorization|key$/i.test(name) && !/idempotency/i.test(name));
    for (const { name, isSecret, usedFor } of provider.credentialFields) {
      const value = credentials[name];
      if (typeof value !== 'string' || value.length < 8) continue;
      const proves =
        usedFor === 'notifications' ||
        identifying.some(([, sent]) => sent.includes(value) && !sent.startsWith('Basic '));
      if (proves && !isSecret) throw new Unexpected('isSecret', 'it is shown in full', name);
      if (
        isSecret &&
        wire.exchanges.slice(from).some(({ request }) => request.url.href.includes(encodeURIComponent(value)))
      )
        throw new Unexpected('no secret in an address, which logs of proxies have', 'one', name);
    }
  },

  'two shops with two accounts pay at once: each with its own': async (fixture) => {
    const { secondAccount, provider, wire } = fixture;
    if (!plays(fixture, 'second_account', 'secondAccount', secondAccount)) return;
    const from = wire?.exchanges.length ?? 0;
    const requests = [0, 1, 2, 3].map((index) =>
      fixture.request('approved', index % 2 === 0 ? {} : { credentials: secondAccount!.credentials }),
    );
    await Promise.all(requests.map((request) => provider.charge(request, soon())));
    for (const [index, { reference }] of requests.entries()) {
      const [own, other] = [await fixture.held(reference), await secondAccount!.held(reference)];
      const [here, there] = index % 2 === 0 ? [own, other] : [other, own];
      if (here.length !== 1 || there.length !== 0)
        throw new Unexpected('one charge in the books of its own account', { here, there }, `the account ${index % 2}`);
    }
    const secrets = (of: Record<string, unknown>) =>
      provider.credentialFields.flatMap(({ name, isSecret }) => (isSecret ? [String(of[name])] : []));
    const mine = secrets(fixture.credentials).filter((secret) => !secrets(secondAccount!.credentials).includes(secret));
    for (const { request } of wire?.exchanges.slice(from) ?? []) {
      const text = Object.values(request.headers).join('\n') + (request.body ?? '');
      const isOther = requests.some(
        ({ reference, credentials }, index) =>
          index % 2 === 1 && credentials !== fixture.credentials && text.includes(reference),
      );
      if (isOther && mine.some((secret) => text.includes(secret)))
        throw new Unexpected('its own credentials', 'those of the other account');
    }
  },

  'the id of the account is the same each time, and another one for another account': async (fixture) => {
    const { provider, credentials, secondAccount } = fixture;
    if (!provider.accountId) return;
    const id = await provider.accountId(credentials, soon());
    assert.equal(await provider.accountId(credentials, soon()), id);
    if (id !== null && secondAccount && canEndAs(fixture, 'second_account')) {
      const other = await provider.accountId(secondAccount.credentials, soon());
      if (other === id) throw new Unexpected('another id', other);
    }
  },
});

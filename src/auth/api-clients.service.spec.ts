import { expect, it } from '@jest/globals';
import { SystemClock } from '../shared/clock.js';
import { ApiClientsService } from './api-clients.service.js';

it('ApiClientsService refuses a secret check when a hundred others are queued', async () => {
  const nothing = {} as never;
  const clients = new ApiClientsService(nothing, nothing, new SystemClock(), nothing, nothing);
  const attempts = Array.from({ length: 103 }, () => clients.authenticate({ clientId: 'no:client', secrets: [] }));
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.slice(0, 102)).toEqual(Array(102).fill({ status: 'fulfilled', value: null }));
  expect(outcomes[102]).toMatchObject({ reason: { code: 'too_many_requests', retryAfterSeconds: 2 } });
});

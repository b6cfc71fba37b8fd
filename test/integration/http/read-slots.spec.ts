import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { takesReadSlot } from '../../../src/access/read-slots.js';
import { type TestApi, sharedApi } from '../../support/app/api-app.js';

/** Lists that do without the decorator, with the reason. */
const WITHOUT_DECORATOR: Record<string, string> = {
  'ApprovalsController.list': 'takes a slot of the reports of approvals',
  'EventsController.list': 'takes a slot for a page, and none for a stream',
};

interface Responses {
  [status: string]: { content?: Record<string, { schema?: { title?: string } }> };
}

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.stop());

/** Methods of controllers, by their names. */
function methods(): [name: string, method: object][] {
  return api
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) => {
      const prototype = (metatype as new () => unknown).prototype as Record<string, () => unknown>;
      const names = new MetadataScanner().getAllMethodNames(prototype);
      return names.map((name): [string, object] => [`${metatype!.name}.${name}`, prototype[name]!]);
    });
}

const titleOf = (method: object): string | undefined =>
  (Reflect.getMetadata('swagger/apiResponse', method) as Responses | undefined)?.['200']?.content?.['application/json']
    ?.schema?.title;

describe('lists and reports', () => {
  it('take slots of their merchant', () => {
    const lists = methods().filter(([, method]) => titleOf(method)?.endsWith('Page'));
    expect(lists.length).toBeGreaterThan(15);
    const without = lists.filter(([, method]) => !takesReadSlot(method)).map(([name]) => name);
    expect(without.sort()).toEqual(Object.keys(WITHOUT_DECORATOR).sort());
    const reports = methods().filter(([, method]) => takesReadSlot(method) && !titleOf(method)?.endsWith('Page'));
    expect(reports.map(([name]) => name).sort()).toEqual([
      'InsightsController.openWork',
      'InsightsController.overview',
      'RolloutsController.find',
      'RolloutsController.overTime',
      'SearchController.find',
      'ShopWebhooksController.stats',
      'ToDoController.read',
    ]);
  });

  it('leave connections to other merchants', async () => {
    const [greedy, other] = [await api.login(), await api.loginAsAnotherMerchant()];
    const lock = await api.database.pool.connect();
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE payments IN ACCESS EXCLUSIVE MODE');
    const lists = Array.from({ length: 20 }, () => greedy.get('/payments'));
    try {
      for (let request = 0; request < 5; request++) expect((await other.get('/audit')).status).toBe(200);
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  });
});

import { dataOf } from '../app/merchant.js';
import type { ConsoleFixture } from './console-fixture.js';

export const WIDE = { width: 1_280, height: 900 };
export const NARROW = { width: 390, height: 900 };

/** Every page of the console, by the name of its picture in the documentation. */
export async function consolePages({
  flow,
  shops,
  payments,
  api,
}: ConsoleFixture): Promise<[name: string, path: string, title: string][]> {
  const failed = payments[3]!;
  const path = `/webhooks/shop/${failed.shop.id}/deliveries?payment_id=${failed.id}`;
  const [delivery] = dataOf<[{ id: string }]>(await api.get(path));
  return [
    ['home', '', 'To do'],
    ['open-work', '/open-work', 'Open work'],
    ['payments', '/payments', 'Payments'],
    ['payment', `/payments/${payments[0]!.id}`, `Payment ${payments[0]!.id}`],
    ['disputes', '/disputes', 'Disputes'],
    ['approvals', `/approvals?cell=${shops[0]!.id}`, 'Approvals'],
    ['reports', '/reports?period=7d', 'Reports'],
    ['deliveries', '/deliveries?status=failed', 'Deliveries'],
    ['delivery', `/deliveries/${delivery.id}`, `Delivery ${delivery.id}`],
    ['endpoints', '/endpoints', 'Endpoints'],
    ['flows', '/flows', 'Flows'],
    ['flow', `/flows/${flow.id}`, flow.name],
    ['proposal', `/flows/${flow.id}/proposals/1`, `${flow.name}, version 1`],
    ['shops', '/shops', 'Shops'],
    ['shop', `/shops/${shops[2]!.id}`, shops[2]!.name],
    ['developers', '/developers', 'Developers'],
    ['people', '/people', 'People'],
    ['audit', '/audit', 'Audit'],
  ];
}

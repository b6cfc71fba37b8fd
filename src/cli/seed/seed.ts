import { ApiClientsService } from '../../auth/api-clients.service.js';
import type { Role } from '../../access/roles.js';
import { COMMAND_LINE } from '../../audit/audit-context.js';
import { Random } from '../../shared/random.js';
import { DAY_MS } from '../../shared/clock.js';
import { SeededRandom } from '../../shared/seeded-random.js';
import type { Calendar } from './calendar.js';
import { PEOPLE } from './cast.js';
import { Fortnight } from './fortnight.js';
import { Merchant } from './merchant.js';
import { Orders } from './orders.js';
import type { PastService } from './past-service.js';
import type { Receivers } from './receivers.js';
import { ShopAssistant } from './shop-assistant.js';

export interface SeedOptions {
  merchantId: number;
  seed: number;
  payments: number;
  calendar: Calendar;
  /** Told the share of the work that is done, from 0 to 1. */
  onProgress: (share: number, made: number) => void;
}

/** Gives a merchant two weeks of payments, with their refunds, disputes and webhooks. The service must be at `Calendar.start`. */
export async function seedMerchant(service: PastService, receivers: Receivers, options: SeedOptions): Promise<void> {
  const { merchantId, payments, calendar } = options;
  const random = new SeededRandom('demo', options.seed);
  const notificationSecret = `demo-${merchantId}-${options.seed}-notifications`;
  const merchant = new Merchant(service, receivers.url, notificationSecret);
  const assistant = new ShopAssistant(service, new Orders(random), random, notificationSecret);
  receivers.down.add('/warehouse');
  await merchant.open();
  const fortnight = new Fortnight(service, merchant, assistant, receivers, random, calendar);
  const perDay = payments / ((calendar.now.getTime() - calendar.start.getTime()) / DAY_MS);
  const moments = calendar.moments(payments);
  let outstanding = 0;
  for (const [index, { at, share }] of moments.entries()) {
    await service.setTime(at);
    await fortnight.until(at);
    outstanding += perDay * share;
    await assistant.sellMany(Math.floor(outstanding), { isFalling: at >= calendar.fall });
    outstanding %= 1;
    await service.calm();
    options.onProgress((index + 1) / moments.length, assistant.payments.length);
  }
}

/** Creates the people and the program of the story. */
export async function createPeople(service: PastService, merchantId: number): Promise<SignIn[]> {
  const clients = service.get(ApiClientsService);
  const signIns: SignIn[] = [];
  for (const { id, name, kind, rights } of PEOPLE) {
    const credentials = { id: service.prefix + id, secret: service.get(Random).bytes(12).toString('base64url') };
    await clients.create({ merchantId, name, kind, rights, credentials }, COMMAND_LINE);
    if (kind === 'person') signIns.push({ ...credentials, name, role: rights.role });
  }
  return signIns;
}

/** A person's credentials for the console. */
export interface SignIn {
  id: string;
  secret: string;
  name: string;
  role: Role | null;
}

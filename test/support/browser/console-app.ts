import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../app/in-process-service.js';
import { Merchant } from '../app/merchant.js';
import { BOOTSTRAP_CLIENT, type ServiceOptions } from '../app/service.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import { openPage, startBrowser } from './browser.js';

const WIDE = { width: 1_280, height: 900 };

/** A service without data, and a page of a browser. */
export interface ConsoleApp {
  database: TestDatabase;
  service: InProcessService;
  /** The merchant of {@link BOOTSTRAP_CLIENT}. */
  merchant: Merchant;
  browser: Browser;
  page: Page;
  /** The errors of the browser. */
  complaints: string[];
  stop(): Promise<void>;
}

export async function startConsoleApp({
  entry = 'all',
  env,
  viewport = WIDE,
}: Partial<ServiceOptions> & { viewport?: typeof WIDE } = {}): Promise<ConsoleApp> {
  const [database, browser] = await Promise.all([createTestDatabase(), startBrowser()]);
  const service = await startServiceInProcess({ entry, databaseUrl: database.url, ...(env && { env }) });
  const merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  const stop = async (): Promise<void> => {
    await browser.close();
    await service.stop();
    await database.drop();
  };
  return { database, service, merchant, browser, stop, ...(await openPage(browser, { viewport })) };
}

import { AuditLogService } from '../../../src/audit/audit-log.service.js';
import { type Reconciliation, ReconciliationService } from '../../../src/reconciliation/reconciliation.service.js';
import { KnownCharges } from '../../../src/payments/store/known-charges.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { ProviderRegistry } from '../../../src/providers/provider-registry.service.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import type { TestApi } from './api-app.js';

/** The service of `npm run cli -- reconcile`. */
export function reconciliation(api: TestApi): ReconciliationService {
  const [database, shops] = [api.get(Database), api.get(ShopsService)];
  const [providers, audit] = [api.get(ProviderRegistry), api.get(AuditLogService)];
  return new ReconciliationService(database, new KnownCharges(database), shops, providers, audit, {
    providerTimeoutMs: 5_000,
  });
}

/** Compares the charges of all shops with their providers. */
export const reconcile = (api: TestApi): Promise<Reconciliation> => reconciliation(api).reconcile(new Date(0));

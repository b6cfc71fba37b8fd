import { AuditLogService } from '../../../src/audit/audit-log.service.js';
import {
  type Reconciliation,
  ReconciliationService,
} from '../../../src/payments/reconciliation/reconciliation.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { ProviderRegistry } from '../../../src/providers/provider-registry.service.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import type { TestApi } from './api-app.js';

/** Compares the charges of all shops with their providers, like `npm run cli -- reconcile`. */
export function reconcile(api: TestApi): Promise<Reconciliation> {
  const [database, shops] = [api.get(Database), api.get(ShopsService)];
  const [providers, audit] = [api.get(ProviderRegistry), api.get(AuditLogService)];
  const service = new ReconciliationService(database, shops, providers, audit, { providerTimeoutMs: 5_000 });
  return service.reconcile(new Date(0));
}

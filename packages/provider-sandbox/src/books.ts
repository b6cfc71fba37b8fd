import type { ConnectorContext, ConnectorHost } from '@payment-orchestrator/provider-kit';
import { SandboxCharges } from './charges.js';
import { SandboxLedger } from './ledger.js';
import { SandboxNotifier } from './notifier.js';
import { SandboxOperations } from './operations.js';

/** The sandbox's books in the service's database, and those who write them. */
export interface SandboxBooks {
  /** `false`: calls leave no entry (`SANDBOX_LEDGER`). */
  isKept: boolean;
  database: ConnectorHost['database'];
  ledger: SandboxLedger;
  notifier: SandboxNotifier;
  charges: SandboxCharges;
  operations: SandboxOperations;
}

/** `undefined`: there is no database outside of the service. */
export function openBooks(context: ConnectorContext): SandboxBooks | undefined {
  const { host, settings } = context;
  if (!host) return undefined;
  const { database } = host;
  const ledger = new SandboxLedger(database);
  const notifier = new SandboxNotifier(host);
  const charges = new SandboxCharges(ledger, notifier, context, host);
  const operations = new SandboxOperations(database, notifier, context);
  return { isKept: settings['SANDBOX_LEDGER'] !== 'false', database, ledger, notifier, charges, operations };
}

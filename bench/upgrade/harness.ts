import type { ApiClient } from '../chaos/client.js';
import type { ReceiversMethods } from '../chaos/processes/receivers.js';
import type { ChaosPostgres } from '../chaos/postgres.js';
import type { Remote } from '../support/remote.js';
import type { Traffic } from './traffic.js';

/** The servers, receivers and clients of an upgrade. */
export interface UpgradeHarness {
  postgres: ChaosPostgres;
  receivers: Remote<ReceiversMethods>;
  traffic: Traffic;
  clients: ApiClient[];
}

import type { ReceiversMethods } from './processes/receivers.js';
import { stablePorts } from '../support/ports.js';
import { Remote } from '../support/remote.js';
import type { Supervisor } from '../support/supervisor.js';

/** Receivers that always answer 200, and those that faults make misbehave. */
export const STEADY = [0, 1, 2, 3];
/** Receivers that are standing endpoints, too: none that answers 410, which would disable it for the rest of the run. */
export const STANDING = [2, 3];
export const FAULTY = [4, 5, 6, 7, 8, 9, 10, 11];
/** Receivers that always answer 200, but slowly. Each is an origin that all shops share. */
export const SLOW_HEALTHY = [12, 13];

/** The receivers' process and their URLs. */
export interface Receivers {
  receivers: Remote<ReceiversMethods>;
  /** Indexed by the receiver's number. */
  endpoints: readonly string[];
}

export async function openReceivers(supervisor: Supervisor): Promise<Receivers> {
  const receivers = await Remote.start<ReceiversMethods>(supervisor, 'chaos/processes/receivers');
  const ports = await stablePorts(STEADY.length + FAULTY.length + SLOW_HEALTHY.length);
  await receivers.call('open', ports);
  await receivers.call('behave', FAULTY, 'good');
  await receivers.call('behave', SLOW_HEALTHY, 'slow-healthy');
  return { receivers, endpoints: ports.map((port) => `http://127.0.0.1:${port}/webhooks`) };
}

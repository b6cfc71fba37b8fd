import type { ReceiversOffer } from './processes/receivers.js';
import { stablePorts } from '../support/ports.js';
import { Remote } from '../support/remote.js';
import type { Supervisor } from '../support/supervisor.js';

/** Receivers that answer 200 whatever happens, and those that faults make misbehave. */
export const STEADY = [0, 1, 2, 3];
export const FAULTY = [4, 5, 6, 7, 8, 9, 10, 11];
/** Those that answer 200 whatever happens, but take their time: each is an origin that all shops share. */
export const UNHURRIED = [12, 13];

/** The receivers' process, and where they listen. */
export interface Receivers {
  receivers: Remote<ReceiversOffer>;
  /** By number. */
  endpoints: readonly string[];
}

export async function openReceivers(supervisor: Supervisor): Promise<Receivers> {
  const receivers = await Remote.start<ReceiversOffer>(supervisor, 'chaos/processes/receivers');
  const ports = await stablePorts(STEADY.length + FAULTY.length + UNHURRIED.length);
  await receivers.call('open', ports);
  await receivers.call('behave', FAULTY, 'good');
  await receivers.call('behave', UNHURRIED, 'unhurried');
  return { receivers, endpoints: ports.map((port) => `http://127.0.0.1:${port}/webhooks`) };
}

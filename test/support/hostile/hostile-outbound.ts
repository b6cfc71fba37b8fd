import { BlockList } from 'node:net';
import { HostResolver, SystemHostResolver } from '../../../src/platform/addresses/host-resolver.js';
import { OutboundHttp, type OutboundOptions } from '../../../src/platform/outbound/outbound-http.service.js';
import { SystemClock } from '../../../src/shared/clock.js';

/** A resolver with scripted answers. */
export class ScriptedResolver extends HostResolver {
  readonly asked: string[] = [];

  constructor(private readonly answer: (host: string, time: number) => string[] | Promise<string[]>) {
    super();
  }

  override async resolve(host: string): Promise<string[]> {
    this.asked.push(host);
    return this.answer(host, this.asked.filter((name) => name === host).length);
  }
}

/**
 * 127.0.0.1, where receivers listen, and 127.0.0.3, where none listens; 127.0.0.2 represents all forbidden addresses.
 */
function allowedAddresses(): BlockList {
  const allowed = new BlockList();
  allowed.addAddress('127.0.0.1', 'ipv4');
  allowed.addAddress('127.0.0.3', 'ipv4');
  return allowed;
}

/** The worker's HTTP client, allowed to call 127.0.0.1. */
export function outboundTo(
  options: Partial<OutboundOptions> = {},
  resolver: HostResolver = new SystemHostResolver(),
): OutboundHttp {
  const config = { webhookAllowedNetworks: allowedAddresses(), webhookRequireHttps: false };
  return new OutboundHttp(config, new SystemClock(), resolver, options);
}

import { connect as connectTcp, isIP, Socket } from 'node:net';
import type { BlockList, LookupFunction, TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { buildConnector } from 'undici';
import { isForbiddenAddress } from '../addresses/addresses.js';
import type { Dialling } from './connection-failure.js';
import type { Endpoint } from '../addresses/endpoint.js';
import type { HostResolver } from '../addresses/host-resolver.js';
import { OutboundFailure } from './outbound-result.js';

/** How long one address of several may take before the next is tried beside the window (RFC 8305, 5). */
const NEXT_ADDRESS_MS = 500;
/** More addresses than this are not tried. */
const MAX_ADDRESSES = 8;
const FORBIDDEN = new OutboundFailure('forbidden_address', 'the host leads to a private, local or reserved address');

/**
 * Why not undici's `buildConnector`: it has no hook between the lookup and the dialling, and does not tell the stages apart.
 *
 * Opens sockets to public addresses only. The guard sits in the lookup of the socket itself: the list that is checked is
 * the list that is dialled, so a name that answers differently a second time (rebinding) gains nothing. When any address
 * of a name is forbidden, the name is: a mixed answer is an attack or a mistake.
 */
export class GuardedConnector {
  constructor(
    private readonly resolver: HostResolver,
    private readonly allowed: BlockList,
    private readonly ca?: string,
  ) {}

  /** Calls `done` once, never before it returns; with the reason when the socket is destroyed with one meanwhile. */
  dial(endpoint: Endpoint, done: buildConnector.Callback): Dialling {
    const literal = isIP(endpoint.host) !== 0; // then the socket asks no lookup
    const lookup = this.guardedLookup(() => (dialling.stage = 'connecting'));
    const socket = this.open(endpoint, literal, lookup);
    const dialling: Dialling = { stage: literal ? 'connecting' : 'resolving', socket };
    socket.once('connect', () => (dialling.stage = endpoint.secure ? 'securing' : 'open'));
    socket.once(endpoint.secure ? 'secureConnect' : 'connect', () => {
      dialling.stage = 'open';
      done(null, socket);
    });
    socket.on('error', (error) => {
      if (dialling.stage !== 'open') done(error, null);
    });
    return dialling;
  }

  private open(endpoint: Endpoint, literal: boolean, lookup: LookupFunction): Socket {
    if (literal && isForbiddenAddress(endpoint.host, this.allowed)) return new Socket().destroy(FORBIDDEN);
    const tcp: TcpNetConnectOpts = {
      host: endpoint.host,
      port: endpoint.port,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    };
    if (!endpoint.secure) return connectTcp(tcp);
    const tls: ConnectionOptions = {
      servername: literal ? '' : endpoint.host, // SNI takes names only; an address is checked against the certificate's
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true, // said, so that NODE_TLS_REJECT_UNAUTHORIZED cannot take it away
      minVersion: 'TLSv1.2',
      ...(this.ca === undefined ? {} : { ca: this.ca }),
    };
    return connectTls({ ...tcp, ...tls });
  }

  private guardedLookup(resolved: () => void): LookupFunction {
    return (host, _options, callback) => {
      this.resolver.resolve(host).then(
        (addresses) => {
          if (addresses.some((address) => isForbiddenAddress(address, this.allowed))) return callback(FORBIDDEN, []);
          resolved();
          const dialled = addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIP(address) }));
          callback(null, dialled);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
      );
    };
  }
}

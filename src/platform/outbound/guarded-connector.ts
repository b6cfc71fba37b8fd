import { connect as connectTcp, isIP, Socket } from 'node:net';
import type { BlockList, LookupFunction, TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { buildConnector } from 'undici';
import { isForbiddenAddress } from '../addresses/addresses.js';
import type { SocketState } from './connection-failure.js';
import type { Endpoint } from '../addresses/endpoint.js';
import type { HostResolver } from '../addresses/host-resolver.js';
import { OutboundFailure } from './outbound-result.js';

/** Time for one address of several before the next one is tried concurrently (RFC 8305, 5). */
const NEXT_ADDRESS_MS = 500;
/** At most this many addresses are tried. */
const MAX_ADDRESSES = 8;
const FORBIDDEN = new OutboundFailure('forbidden_address', 'the host has a private, local or reserved address');

/**
 * Opens sockets to public addresses only. The check is in the socket's own lookup: it connects to exactly the addresses
 * that were checked. So a name with another address in a second lookup (DNS rebinding) gains nothing. A name is
 * forbidden when any of its addresses is: a mixed result is an attack or a mistake.
 *
 * Why not undici's `buildConnector`: it has no hook between lookup and connecting, and does not report the stages.
 */
export class GuardedConnector {
  constructor(
    private readonly resolver: HostResolver,
    private readonly allowed: BlockList,
    private readonly ca?: string,
  ) {}

  /** Calls `done` once, and never before it returns; with an error when the socket is destroyed meanwhile. */
  connect(endpoint: Endpoint, done: buildConnector.Callback): SocketState {
    const literal = isIP(endpoint.host) !== 0; // then the socket needs no lookup
    const lookup = this.guardedLookup(() => (state.stage = 'connecting'));
    const socket = this.open(endpoint, literal, lookup);
    const state: SocketState = { stage: literal ? 'connecting' : 'resolving', socket };
    socket.once('connect', () => (state.stage = endpoint.secure ? 'securing' : 'open'));
    socket.once(endpoint.secure ? 'secureConnect' : 'connect', () => {
      state.stage = 'open';
      done(null, socket);
    });
    socket.on('error', (error) => {
      if (state.stage !== 'open') done(error, null);
    });
    return state;
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
      servername: literal ? '' : endpoint.host, // SNI allows only names; an address is compared with those in the certificate
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true, // explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it
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
          const tried = addresses.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: isIP(address) }));
          callback(null, tried);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
      );
    };
  }
}

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { OutboundFailure } from './outbound-result.js';

/** A connection and how far it got, which determines the name of its failure. */
export interface SocketState {
  stage: 'resolving' | 'connecting' | 'securing' | 'open';
  socket: Socket;
}

/** Error codes for resources of this machine that ran out before anything was sent. No receiver can cause them. */
const LOCAL_EXHAUSTION = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/**
 * Classifies an error on a connection by the stage, by error codes of Node, undici and llhttp, and by the side that
 * ended the connection, never by messages. The result's message contains only codes: Node's messages contain addresses.
 */
export function connectionFailure(error: Error, { stage, socket }: SocketState): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  switch (stage) {
    case 'resolving':
      // c-ares: no name server is listening, or there is no file descriptor for a query
      if (code === 'ECONNREFUSED') return new OutboundFailure('local_failure', 'no name server could be asked');
      // c-ares gives up on a silent server after its last try, regardless of our time limit
      if (code === 'ETIMEOUT') return new OutboundFailure('dns_timeout', 'the name servers did not answer');
      return new OutboundFailure('dns_failed', `the name could not be resolved (${code})`);
    case 'connecting':
      if (LOCAL_EXHAUSTION.has(code))
        return new OutboundFailure('local_failure', `this machine could not open a connection (${code})`);
      return new OutboundFailure('connect_failed', `no connection could be made (${code})`);
    case 'securing':
      return socket instanceof TLSSocket && socket.authorizationError // set by Node when the chain or the name is not valid
        ? new OutboundFailure('tls_invalid', `the certificate was not accepted (${code})`)
        : new OutboundFailure('tls_failed', `the TLS handshake failed (${code})`);
    case 'open':
      return answerFailure(error, code, socket.readableEnded);
  }
}

function answerFailure(error: Error, code: string, closedByReceiver: boolean): OutboundFailure {
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return new OutboundFailure('tls_failed', `the receiver ended TLS (${code})`); // TLS 1.3 refuses clients after the handshake
  }
  // undici uses the same codes for unexpected responses and for a receiver that closes the connection during a response
  const ambiguous = code === 'UND_ERR_SOCKET' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  const cutShort = code === 'HPE_INVALID_EOF_STATE' || (ambiguous && closedByReceiver);
  if (cutShort || 'errno' in error) {
    return new OutboundFailure('connection_reset', `the connection closed before the answer was complete (${code})`);
  }
  return new OutboundFailure('invalid_response', `the answer is not valid HTTP/1.1 (${code})`);
}

function codeOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}

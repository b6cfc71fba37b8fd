import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { OutboundFailure } from './outbound-result.js';

/** A connection in the making, or made: how far it got names its failure. */
export interface Dialling {
  stage: 'resolving' | 'connecting' | 'securing' | 'open';
  socket: Socket;
}

/** What our machine has run out of before anything was sent. No receiver can cause it. */
const LACKS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/**
 * What an error on a connection means. Told by the stage, by error codes of Node, undici and llhttp, and by who ended the
 * connection, never by messages. The sentence holds codes alone: messages of Node carry addresses.
 */
export function connectionFailure(error: Error, { stage, socket }: Dialling): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  switch (stage) {
    case 'resolving':
      // c-ares: no name server is listening, or there is no file descriptor for a question
      if (code === 'ECONNREFUSED') return new OutboundFailure('local_failure', 'no name server could be asked');
      // c-ares gives up on a silent server when its tries are used up, be the window shorter or longer than they are
      if (code === 'ETIMEOUT') return new OutboundFailure('dns_timeout', 'the name servers did not answer');
      return new OutboundFailure('dns_failed', `the name could not be resolved (${code})`);
    case 'connecting':
      if (LACKS.has(code)) return new OutboundFailure('local_failure', `no connection could be opened here (${code})`);
      return new OutboundFailure('connect_failed', `no connection could be made (${code})`);
    case 'securing':
      return socket instanceof TLSSocket && socket.authorizationError // Node's, when the chain or the name was refused
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
  // undici has the same codes for answers out of place as for a receiver that closes the connection in mid-answer
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

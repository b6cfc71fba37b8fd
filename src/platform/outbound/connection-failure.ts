import { TLSSocket } from 'node:tls';
import type { Dialling } from './guarded-connector.js';
import { OutboundFailure } from './outbound-result.js';

/**
 * What an error on a connection means. Told by the stage, by error codes of Node, undici and llhttp, and by who ended the
 * connection, never by messages. The sentence holds codes alone: messages of Node carry addresses.
 */
export function connectionFailure(error: Error, { stage, socket }: Dialling): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  switch (stage) {
    case 'resolving':
      return new OutboundFailure('dns_failed', `the name could not be resolved (${code})`);
    case 'connecting':
      return new OutboundFailure('connect_failed', `no connection could be made (${code})`);
    case 'securing':
      return isUnauthorized(socket)
        ? new OutboundFailure('tls_invalid', `the certificate was not accepted (${code})`)
        : new OutboundFailure('tls_failed', `the TLS handshake failed (${code})`);
    case 'open':
      return answerFailure(code, socket?.readableEnded ?? false);
  }
}

function answerFailure(code: string, closedByReceiver: boolean): OutboundFailure {
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundFailure('headers_too_large', 'the head of the answer is over 16 KiB');
  }
  // undici destroys the socket with these for answers out of place, and reports the receiver's closing with them as well
  const ambiguous = code === 'UND_ERR_SOCKET' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  const malformed = code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE';
  if (malformed || (ambiguous && !closedByReceiver)) {
    return new OutboundFailure('invalid_response', `the answer is not valid HTTP/1.1 (${code})`);
  }
  return new OutboundFailure('connection_reset', `the connection was closed before the answer was complete (${code})`);
}

// Set by Node when the certificate's chain or name was refused.
const isUnauthorized = (socket: unknown): boolean => socket instanceof TLSSocket && Boolean(socket.authorizationError);

function codeOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}

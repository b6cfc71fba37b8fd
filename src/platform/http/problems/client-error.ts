import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../../shared/problem.js';
import { problemBody, PROBLEM_MEDIA_TYPE } from './problem-body.js';
import { problemOf } from './problem-of.js';

/**
 * Answers requests that Node's HTTP parser refuses (bad syntax, too large headers, a request that does not arrive in
 * time) and closes the connection. There is no request object, so there is no path and no incoming request id.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const problem = isKnown(error)
    ? problemOf(error)
    : new Problem('malformed_request', { detail: 'not valid HTTP/1.1' });
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, requestId));
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `content-type: ${PROBLEM_MEDIA_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const isKnown = ({ code }: { code?: string }): boolean =>
  code === 'HPE_HEADER_OVERFLOW' || code === 'ERR_HTTP_REQUEST_TIMEOUT';

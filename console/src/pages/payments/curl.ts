/** A request of the API that is shown as a shell command, with the user's own token. */
interface Command {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function toCurl(origin: string, { method, path, body }: Command): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + path)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

export const commandsOf = (paymentId: number): [label: string, command: Command][] => [
  ['Read', { method: 'GET', path: `/payments/${paymentId}` }],
  ['Capture', { method: 'POST', path: `/payments/${paymentId}/capture`, body: {} }],
  ['Cancel', { method: 'POST', path: `/payments/${paymentId}/cancel` }],
  [
    'Refund',
    { method: 'POST', path: `/payments/${paymentId}/refunds`, body: { reason: 'Customer returned the goods' } },
  ],
  ['Sync', { method: 'POST', path: `/payments/${paymentId}/sync` }],
];

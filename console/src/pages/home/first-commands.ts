interface Known {
  origin: string;
  clientId: string;
  shopId: number | undefined;
  flowName: string | undefined;
}

interface Commands {
  token: string;
  shop: string;
  flow: string;
  payment: string;
}

/** Quotes a text for a POSIX shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The shell commands that create the first shop, flow and payment, with existing shops and flows filled in. */
export function commandsOf({ origin, clientId, shopId = 1, flowName = 'checkout' }: Known): Commands {
  const post = (path: string, body: object): string =>
    [
      `curl ${origin}${path}`,
      `-H "Authorization: Bearer $TOKEN"`,
      `-H 'Content-Type: application/json'`,
      `-d ${quoted(JSON.stringify(body))}`,
    ].join(' \\\n  ');
  const field = `node -pe "JSON.parse(require('fs').readFileSync(0)).access_token"`;
  return {
    token: [
      `TOKEN=$(curl -s -u ${quoted(clientId)}":$CLIENT_SECRET" \\`,
      `  -d grant_type=client_credentials ${origin}/auth/token |`,
      `  ${field})`,
    ].join('\n'),
    shop: post('/shops', {
      name: 'Main shop',
      provider_credentials: { notification_secret: 'a-secret-of-the-provider' },
    }),
    flow: post('/flows', { name: flowName, strategy: 'round_robin', shops: [{ shop_id: shopId }] }),
    payment: post('/payments', { flow_name: flowName, amount: 49.9, currency: 'EUR' }),
  };
}

import { ApiClientsService, type IssuedCredentials } from '../auth/api-clients.service.js';
import { BootstrapService } from '../auth/bootstrap.service.js';
import { isEmbedded } from '../platform/config/config.js';
import type { WhenListening } from './run.js';

/**
 * In embedded mode: creates a demo merchant with a client if there is no client yet, and prints the first steps. The
 * secret is shown only once, because only its hash is stored; later starts print how to get a new one.
 */
export const welcome: WhenListening = async ([api], config, print) => {
  if (!isEmbedded(config) || api === undefined) return;
  const client = config.bootstrapClient
    ? null
    : await api.app.get(BootstrapService, { strict: false }).createDemoClient();
  const clients = client ? [] : await api.app.get(ApiClientsService, { strict: false }).list();
  const known = clients.find(({ revokedAt }) => revokedAt === null);
  const lines = [
    `Payment orchestrator: ${api.address}`,
    `Console:              ${api.address}/console`,
    `Swagger UI:           ${api.address}/docs`,
    ...(client ? firstSteps(client, api.address) : known ? newSecret(known.clientId, config.dataDir) : []),
  ];
  print(`\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`);
};

const firstSteps = ({ clientId, clientSecret }: IssuedCredentials, address: string): string[] => [
  '',
  'Created a demo merchant with a client. The secret is shown only once:',
  `  client id:     ${clientId}`,
  `  client secret: ${clientSecret}`,
  '',
  'Get an access token for an hour:',
  `  curl -u '${clientId}:${clientSecret}' -d grant_type=client_credentials ${address}/auth/token`,
];

const newSecret = (clientId: string, dataDir: string): string[] => [
  '',
  `The secret of the client ${clientId} was shown when it was created. Replace it by a new one:`,
  `  DATA_DIR=${quoted(dataDir)} npm run cli -- client:rotate-secret ${clientId}`,
];

/** Quoted for a POSIX shell. */
const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

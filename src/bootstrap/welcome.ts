import { BootstrapService } from '../auth/bootstrap.service.js';
import { isEmbedded } from '../platform/config/config.js';
import type { WhenListening } from './run.js';

/**
 * In embedded mode: makes a demo merchant and client when there is no client yet, and prints how to start with it. Its
 * secret is shown this once; only a hash of it is kept.
 */
export const welcome: WhenListening = async ([api], config, print) => {
  if (!isEmbedded(config) || api === undefined) return;
  const client = config.bootstrapClient
    ? null
    : await api.app.get(BootstrapService, { strict: false }).createDemoClient();
  const lines = [
    `Payment orchestrator: ${api.address}`,
    `Swagger UI:           ${api.address}/docs`,
    ...(client
      ? [
          '',
          'A demo merchant with a client was made. The secret is shown this once:',
          `  client id:     ${client.clientId}`,
          `  client secret: ${client.clientSecret}`,
          '',
          'An access token for an hour:',
          `  curl -u '${client.clientId}:${client.clientSecret}' -d grant_type=client_credentials ${api.address}/auth/token`,
        ]
      : []),
  ];
  print(`\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`);
};

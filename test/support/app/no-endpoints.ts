import type { EndpointSecrets } from '../../../src/webhooks/standing-endpoints/endpoint-secrets.service.js';

/** For stores without standing endpoints. */
export const NO_ENDPOINTS: Pick<EndpointSecrets, 'destination'> = {
  destination: ({ endpoint_id: id }) => {
    throw new Error(`there is no standing endpoint ${id}`);
  },
};

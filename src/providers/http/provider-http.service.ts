import type { OnApplicationShutdown } from '@nestjs/common';
import { HttpApiClient } from '@payment-orchestrator/provider-kit';

/** The client of all providers in this process. */
export class ProviderHttp extends HttpApiClient implements OnApplicationShutdown {
  /** Ends calls in flight; their callers have had time to finish. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}

import type { ProviderFactory } from '@payment-orchestrator/provider-kit';
import { MollieProvider } from './provider.js';

export { MollieProvider };

const connector: ProviderFactory = (context) => new MollieProvider(context);
export default connector;

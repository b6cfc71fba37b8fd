import type { ProviderFactory } from '@payment-orchestrator/provider-kit';
import { AdyenProvider } from './provider.js';

export { AdyenProvider };

const connector: ProviderFactory = (context) => new AdyenProvider(context);
export default connector;

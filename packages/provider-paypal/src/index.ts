import type { ProviderFactory } from '@payment-orchestrator/provider-kit';
import { PayPalProvider } from './provider.js';

export { PayPalProvider };

const connector: ProviderFactory = (context) => new PayPalProvider(context);
export default connector;

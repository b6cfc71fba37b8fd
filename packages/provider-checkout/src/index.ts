import type { ProviderFactory } from '@payment-orchestrator/provider-kit';
import { CheckoutProvider } from './provider.js';

export { CheckoutProvider };

const connector: ProviderFactory = (context) => new CheckoutProvider(context);
export default connector;

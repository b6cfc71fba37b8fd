import { Module } from '@nestjs/common';
import { SandboxAddress } from './sandbox-address.js';
import { SandboxLedger } from './sandbox-ledger.js';
import { SandboxNotifier } from './sandbox-notifier.js';
import { SandboxPaymentProvider } from './sandbox-payment.provider.js';

const PROVIDERS = [SandboxAddress, SandboxLedger, SandboxNotifier, SandboxPaymentProvider];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class SandboxModule {}

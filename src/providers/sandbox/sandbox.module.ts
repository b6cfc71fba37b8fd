import { Module } from '@nestjs/common';
import { SandboxAddress } from './sandbox-address.js';
import { SandboxLedger } from './sandbox-ledger.js';
import { SandboxNotifier } from './sandbox-notifier.js';
import { SandboxProvider } from './sandbox.provider.js';

const PROVIDERS = [SandboxAddress, SandboxLedger, SandboxNotifier, SandboxProvider];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class SandboxModule {}

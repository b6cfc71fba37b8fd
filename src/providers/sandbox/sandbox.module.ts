import { Module } from '@nestjs/common';
import { SandboxAddress } from './sandbox-address.js';
import { SandboxCharges } from './sandbox-charges.js';
import { SandboxLedger } from './sandbox-ledger.js';
import { SandboxOperations } from './sandbox-operations.js';
import { SandboxNotifier } from './sandbox-notifier.js';
import { SandboxProvider } from './sandbox.provider.js';

const PROVIDERS = [SandboxAddress, SandboxCharges, SandboxLedger, SandboxNotifier, SandboxOperations, SandboxProvider];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class SandboxModule {}

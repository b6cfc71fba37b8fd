import { Module } from '@nestjs/common';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxProvider } from './sandbox/sandbox.provider.js';

@Module({ providers: [SandboxProvider, ProviderRegistry], exports: [ProviderRegistry] })
export class ProvidersModule {}

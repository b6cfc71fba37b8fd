import { Module } from '@nestjs/common';
import { ProviderRegistry } from './provider-registry.service.js';
import { SandboxModule } from './sandbox/sandbox.module.js';

@Module({ imports: [SandboxModule], providers: [ProviderRegistry], exports: [ProviderRegistry] })
export class ProvidersModule {}

import type { Server } from 'node:http';
import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { ProviderRegistry } from './provider-registry.service.js';
import { ProvidersModule } from './providers.module.js';
import { OwnAddress } from './connectors/own-address.js';
import { PayerPagesController } from './payer-pages.controller.js';

/** The process that serves the API also does the own work of connectors, and serves their pages. */
@Module({ imports: [ProvidersModule], controllers: [PayerPagesController] })
export class ConnectorsApiModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly adapterHost: HttpAdapterHost<FastifyAdapter>,
    private readonly address: OwnAddress,
    private readonly registry: ProviderRegistry,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.adapterHost.httpAdapter.getHttpServer<Server>();
    this.address.serveWith(server);
    server.once('listening', () => {
      for (const provider of this.registry.all()) provider.start?.();
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.registry.all().map(async (provider) => provider.stop?.()));
  }
}

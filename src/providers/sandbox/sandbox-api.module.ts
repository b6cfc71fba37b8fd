import type { Server } from 'node:http';
import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { SandboxAddress } from './sandbox-address.js';
import { SandboxController } from './sandbox.controller.js';
import { SandboxModule } from './sandbox.module.js';
import { SandboxNotifier } from './sandbox-notifier.js';
import { SandboxPageController } from './page/sandbox-page.controller.js';

/**
 * The process that serves the API also acts as the sandbox's servers: it sends its notifications and shows its pages.
 */
@Module({ imports: [SandboxModule], controllers: [SandboxController, SandboxPageController] })
export class SandboxApiModule implements OnApplicationBootstrap {
  constructor(
    private readonly adapterHost: HttpAdapterHost<FastifyAdapter>,
    private readonly address: SandboxAddress,
    private readonly notifier: SandboxNotifier,
    @InjectConfig() private readonly config: Pick<Config, 'sandbox'>,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.adapterHost.httpAdapter.getHttpServer<Server>();
    this.address.serveWith(server);
    if (this.config.sandbox.ledger) server.once('listening', () => this.notifier.start());
  }
}

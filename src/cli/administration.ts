import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiClientsModule } from '../auth/api-clients.service.js';
import { openDatabase } from '../bootstrap/open-database.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.service.js';
import type { Config } from '../platform/config/config.js';
import { ConfigModule } from '../platform/config/config.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { EncryptionModule } from '../platform/encryption/encryption.js';
import { ObservabilityModule } from '../platform/observability/metrics.js';
import { servingOptions } from '../platform/platform-modules.js';
import { ShopsModule } from '../shops/shops.module.js';
import { loadSettings, type Needs, type Terminal } from './terminal.js';

const POOL_SIZE = 2;

/** The part of the service that administers merchants, clients and secrets, without HTTP. */
@Module({})
class AdministrationModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: AdministrationModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(databaseUrl, POOL_SIZE, servingOptions(config)),
        EncryptionModule,
        ObservabilityModule,
        ApiClientsModule,
        ShopsModule,
        ReconciliationModule,
      ],
    };
  }
}

/** Runs `work` on the service's database, the embedded one included, and closes everything afterwards. */
export async function administer(
  terminal: Terminal,
  work: (context: INestApplicationContext) => Promise<void>,
  needs?: Needs,
): Promise<void> {
  const config = loadSettings(terminal, needs);
  const database = await openDatabase(config);
  try {
    const module = AdministrationModule.forRoot(config, database.url);
    const context = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      await work(context);
    } finally {
      await context.close();
    }
  } finally {
    await database.stop();
  }
}

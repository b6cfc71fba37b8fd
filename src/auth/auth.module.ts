import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { CpuSchedulerModule } from '../platform/cpu-scheduler/cpu-scheduler.service.js';
import { ActiveClientsService } from './active-clients.service.js';
import { ApiClientsModule } from './api-clients.service.js';
import { BootstrapService } from './bootstrap.service.js';
import { ClientRateLimitGuard } from './client-rate-limit.guard.js';
import { ExternalKeys } from './external-keys.js';
import { ExternalTokenStrategy } from './external-token.strategy.js';
import { IdempotencyKeyGuard } from '../platform/http/idempotency-key.js';
import { QueryGuard } from '../platform/http/query-guard.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { LocalTokenStrategy } from './local-token.strategy.js';
import { RouteAccessCheck, ScopesGuard } from './scopes.guard.js';
import { SigningKeys } from './signing-keys.js';
import { TokenController } from './token.controller.js';
import { TokenService } from './token.service.js';
import { TokenThrottle } from './token-throttle.service.js';
import { VerifiedTokens } from './verified-tokens.js';

/** Protects every route of the application that imports it, and issues the tokens. */
@Module({
  imports: [ApiClientsModule, DiscoveryModule, CpuSchedulerModule, JwtModule],
  controllers: [TokenController],
  providers: [
    SigningKeys,
    TokenService,
    TokenThrottle,
    VerifiedTokens,
    ActiveClientsService,
    ExternalKeys,
    LocalTokenStrategy,
    ExternalTokenStrategy,
    BootstrapService,
    RouteAccessCheck,
    // in this order: the later guards use the results of the first one
    { provide: APP_GUARD, useClass: JwtAuthGuard },
    { provide: APP_GUARD, useClass: ClientRateLimitGuard },
    { provide: APP_GUARD, useClass: ScopesGuard },
    { provide: APP_GUARD, useClass: IdempotencyKeyGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
  ],
  exports: [ActiveClientsService, ApiClientsModule, TokenService, TokenThrottle],
})
export class AuthModule {}

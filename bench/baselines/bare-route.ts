// Upper bound of NestJS on Fastify on this machine: routes that answer at once with a JSON body of the product's size.
// One route checks the token and validates the body as the product does, with the product's cache of verified tokens,
// DTO and validation. Nothing else of the product is here: no logs, metrics, request ids or database.
import 'reflect-metadata';
import { createSecretKey, randomBytes } from 'node:crypto';
import {
  Body,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Module,
  Post,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { readClaims, type Claims } from '../../src/auth/token-claims.js';
import { VerifiedTokens } from '../../src/auth/verified-tokens.js';
// oxlint-disable-next-line typescript/consistent-type-imports -- decorator metadata needs the class
import { SimulateFlowDto } from '../../src/flows/simulation/simulation.dto.js';
import { ValidationPipe } from '../../src/platform/http/validation/validation.pipe.js';
import { Clock, SystemClock } from '../../src/shared/clock.js';
import { serve } from '../support/remote.js';
import { webhookBody } from '../support/webhook-sample.js';

const SECRET = createSecretKey(randomBytes(32));
/** Bodies of the product's size for a payment and for a simulation. */
const PAYMENT: unknown = { success: true, data: JSON.parse(webhookBody()) as unknown };
const SIMULATION = {
  success: true,
  data: {
    success: true,
    flow: { id: 1, name: 'bench', strategy: 'round_robin' },
    result: {
      strategy: 'round_robin',
      primary_shop: { shop_id: 1, shop_name: 'shop 1', priority: 1, weight: 1 },
      simulation_mode: true,
      current_counter: 1,
      next_counter: 2,
    },
    simulation: true,
  },
};

@Injectable()
class TokenStrategy extends PassportStrategy(Strategy, 'bench') {
  constructor() {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: SECRET as unknown as Buffer, // jsonwebtoken takes a KeyObject
      algorithms: ['HS256'],
    });
  }

  validate(claims: Claims): unknown {
    return claims;
  }
}

@Injectable()
class TokenGuard extends AuthGuard('bench') {
  constructor(
    private readonly tokens: VerifiedTokens,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & { user: unknown }>();
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const known = this.tokens.get(token);
    if (known === undefined) {
      await super.canActivate(context);
      this.tokens.add(token, readClaims(request.user as Claims, true, this.clock.now()));
    } else {
      request.user = known.principal;
    }
    return true;
  }
}

@Controller()
class BareController {
  @Get('bare')
  read(): unknown {
    return PAYMENT;
  }

  @Post('bare')
  @HttpCode(201)
  create(@Body() _body: object): unknown {
    return PAYMENT;
  }

  @Post('checked')
  @HttpCode(200)
  @UseGuards(TokenGuard)
  simulate(@Body(new ValidationPipe()) _request: SimulateFlowDto): unknown {
    return SIMULATION;
  }
}

@Module({
  controllers: [BareController],
  providers: [TokenStrategy, TokenGuard, VerifiedTokens, { provide: Clock, useClass: SystemClock }],
})
class BareModule {}

/** Returns the origin and a token for the checked route. */
async function start(): Promise<{ origin: string; token: string }> {
  const app = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), { logger: false });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const claims = { sub: 'bench', merchant_id: 1, scope: 'flows:simulate' };
  const token = new JwtService().sign(claims, { secret: SECRET as unknown as Buffer, expiresIn: 3_600 });
  return { origin: await app.getUrl(), token };
}

const methods = { start };
export type BareRouteMethods = typeof methods;

serve(methods);

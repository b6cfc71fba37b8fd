import { Body, Controller, Get, HttpCode, HttpException, Module, Param, Post, Query, Req } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsObject, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { clientNetwork } from '../../../src/platform/http/client-address.js';
import { success, type Success } from '../../../src/platform/http/routes.js';
import { IdParam } from '../../../src/platform/http/validation/id-param.js';
import { IsMetadata } from '../../../src/platform/http/validation/field-rules.js';
// oxlint-disable-next-line typescript/consistent-type-imports -- decorator metadata needs the class
import { PageQueryDto } from '../../../src/platform/http/validation/page-query.dto.js';
import { AcceptsForm, RawBody } from '../../../src/platform/http/body/body-parsers.js';
import type { HttpOptions } from '../../../src/platform/http/server-limits.js';
import { ObservabilityModule } from '../../../src/platform/observability/metrics.js';
import { Problem } from '../../../src/shared/problem.js';
import { startApplication, type TestApplication } from '../../support/app/application.js';

class PartDto {
  @IsString()
  name: string;

  @IsInt()
  @Min(1)
  weight: number;
}

class ThingDto {
  @IsString()
  @MaxLength(3)
  code: string;

  @IsOptional()
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => PartDto)
  parts?: PartDto[];

  @IsOptional()
  @IsObject()
  anything?: object;

  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  @IsOptional()
  @IsString()
  api_secret?: string;
}

const ERRORS: Record<string, () => unknown> = {
  problem: () => new Problem('shop_not_found'),
  unknown: () => new TypeError('a secret is in here'),
  text: () => 'not even an error',
  refused: () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  pool: () => new Error('timeout exceeded when trying to connect'),
  shutdown: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
  typeorm: () => Object.assign(new Error('query failed'), { driverError: { code: '08006' } }),
  redis: () => Object.assign(new Error('Reached the max retries'), { name: 'MaxRetriesPerRequestError' }),
  syntax: () => Object.assign(new Error('syntax error'), { code: '42601' }),
  teapot: () => new HttpException('short and stout', 418),
  forbidden: () => new HttpException('no', 403),
};

@Controller('things')
class ThingsController {
  @Post()
  create(@Body() body: ThingDto): Success<ThingDto> {
    return success(body);
  }

  @Get()
  list(@Query() query: PageQueryDto): Success<PageQueryDto> {
    return success(query);
  }

  @Get(':id')
  get(@IdParam('id') id: number): Success<number> {
    return success(id);
  }

  @Post(':id/poke')
  @HttpCode(200)
  poke(@IdParam('id') id: number): Success<number> {
    return success(id);
  }

  @Post('raw/bytes')
  @HttpCode(200)
  raw(@RawBody() bytes: Buffer): { base64: string } {
    return { base64: bytes.toString('base64') };
  }

  @Post('forms/any')
  @HttpCode(200)
  @AcceptsForm()
  form(@Body() form: Record<string, unknown>): Record<string, unknown> {
    return form;
  }

  @Get('large/answer')
  large(): { text: string } {
    return { text: 'x'.repeat(32 * 1024 * 1024) };
  }

  @Get('my/address')
  address(@Req() request: FastifyRequest): { network: string } {
    return { network: clientNetwork(request) };
  }

  @Get('errors/:kind')
  fail(@Param('kind') kind: string): never {
    throw ERRORS[kind]?.();
  }
}

@Module({ imports: [ObservabilityModule], controllers: [ThingsController] })
class ProbeModule {}

/** An application with one controller, which shows the behaviour of all routes from `createHttpApplication`. */
export const startProbeApp = (http: HttpOptions = {}): Promise<TestApplication> =>
  startApplication(ProbeModule, { http, logLevel: 'debug', listen: true });

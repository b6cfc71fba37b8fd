import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type ActionDataRefused, isObject, type PayerPage, type PayerPages } from '@payment-orchestrator/provider-kit';
import type { FastifyReply } from 'fastify';
import { AcceptsForm } from '../platform/http/body/body-parsers.js';
import { Public } from '../platform/http/routes.js';
import { Problem } from '../shared/problem.js';
import { ProviderRegistry } from './provider-registry.service.js';

/** The pages of connectors: they act as another company's, and are no part of the API. */
@ApiExcludeController()
@Controller('providers/:provider/pages')
export class PayerPagesController {
  constructor(private readonly registry: ProviderRegistry) {}

  @Get(':page')
  @Public()
  async show(
    @Param('provider') provider: string,
    @Param('page') page: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return answered(reply, await this.pagesOf(provider)?.show(page));
  }

  @Post(':page')
  @Public()
  @AcceptsForm()
  @HttpCode(200)
  async submit(
    @Param('provider') provider: string,
    @Param('page') page: string,
    @Body() fields: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const submitted = this.pagesOf(provider)?.submit(page, isObject(fields) ? fields : {});
    return answered(reply, await submitted?.catch(asProblem));
  }

  private pagesOf(provider: string): PayerPages | undefined {
    return this.registry.has(provider) ? this.registry.get(provider).pages : undefined;
  }
}

function asProblem(error: unknown): never {
  const { code, errors = [] } = error as Partial<ActionDataRefused>;
  throw code === 'validation_failed' ? new Problem(code, { errors }) : error;
}

function answered(reply: FastifyReply, page: PayerPage | undefined): string {
  if (!page) throw new Problem('route_not_found', { detail: 'the provider has no such page' });
  if ('location' in page) {
    reply.status(303).header('location', page.location);
    return '';
  }
  reply.header('content-type', 'text/html; charset=utf-8');
  reply.header('content-security-policy', page.policy);
  reply.header('referrer-policy', 'no-referrer');
  return page.html;
}

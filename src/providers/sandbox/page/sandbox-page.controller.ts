import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../platform/http/routes.js';
import { AcceptsForm } from '../../../platform/http/body/body-parsers.js';
import { Problem } from '../../../shared/problem.js';
import { type Choice, CHOICES, SandboxLedger } from '../sandbox-ledger.js';
import { pagePolicy, renderPage } from './sandbox-page.js';
import { SandboxNotifier } from '../sandbox-notifier.js';
import type { SandboxTransaction } from '../sandbox-transactions.queries.js';

const UUID = /^[0-9a-f-]{36}$/;

/** The form's only field. */
class ChoiceDto {
  @IsIn(Object.keys(CHOICES))
  outcome: Choice;
}

/**
 * The page to which `next_action` sends a payer's browser. It acts as another company's page and is no part of the API.
 * Its address cannot be guessed, so it needs no other authentication.
 */
@ApiExcludeController()
@Controller('providers/sandbox/pages')
export class SandboxPageController {
  constructor(
    private readonly ledger: SandboxLedger,
    private readonly notifier: SandboxNotifier,
  ) {}

  @Get(':page')
  @Public()
  async show(@Param('page') page: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return asPage(reply, await this.find(page));
  }

  /** Sends the notification first, so that a payer who returns to the merchant finds the payment with its outcome. */
  @Post(':page')
  @Public()
  @AcceptsForm()
  @HttpCode(200)
  async choose(
    @Param('page') page: string,
    @Body() { outcome }: ChoiceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { reference, return_url: returnUrl } = await this.find(page);
    if (await this.ledger.choose(page, outcome)) await this.notifier.sendNow(reference);
    if (returnUrl === null) return asPage(reply, await this.find(page));
    reply.status(303).header('location', new URL(returnUrl).href);
    return '';
  }

  private async find(page: string): Promise<SandboxTransaction> {
    const found = UUID.test(page) ? await this.ledger.findByPage(page) : undefined;
    if (!found) throw new Problem('route_not_found', { detail: 'the sandbox has no such page' });
    return found;
  }
}

function asPage(reply: FastifyReply, transaction: SandboxTransaction): string {
  reply.header('content-type', 'text/html; charset=utf-8');
  reply.header('content-security-policy', pagePolicy(transaction));
  reply.header('referrer-policy', 'no-referrer');
  return renderPage(transaction);
}

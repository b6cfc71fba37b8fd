import { Controller, Get, Header, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBasicAuth,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { InvalidBody, AcceptsForm } from '../platform/http/body/body-parsers.js';
import { clientNetwork } from '../platform/http/client-address.js';
import { Public } from '../access/access.js';
import type { Problem } from '../shared/problem.js';
import { OAuthError, OAuthErrorFilter } from './oauth-error.js';
import { SigningKeys } from './signing-keys.js';
import { JwksDto, TokenErrorDto, TokenRequestDto, TokenResponseDto } from './token.dto.js';
import { TakesAnyQuery } from '../platform/http/query-guard.js';
import { parseTokenRequest } from './token-request.js';
import { TokenService } from './token.service.js';

@ApiTags('auth')
@Controller()
export class TokenController {
  constructor(
    private readonly tokens: TokenService,
    private readonly keys: SigningKeys,
  ) {}

  /**
   * Exchanges client credentials for an access token (OAuth 2.0, RFC 6749 §4.4).
   * @remarks JSON with the same fields is accepted, too. `expires_in` is in seconds.
   */
  @Post('auth/token')
  @Public()
  @TakesAnyQuery() // RFC 6749 §3.2: unrecognized parameters are ignored
  @AcceptsForm()
  @UseFilters(OAuthErrorFilter)
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Header('pragma', 'no-cache')
  @ApiBasicAuth('client')
  // only the form: for two types with one schema, generators send the fields of the form with the type of JSON
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: TokenRequestDto })
  @ApiOkResponse({ type: TokenResponseDto })
  @ApiBadRequestResponse({ type: TokenErrorDto })
  @ApiUnauthorizedResponse({ type: TokenErrorDto })
  @ApiTooManyRequestsResponse({ type: TokenErrorDto })
  async create(@Req() request: FastifyRequest): Promise<TokenResponseDto> {
    const { body, headers } = request;
    if (body instanceof InvalidBody) {
      throw new OAuthError('invalid_request', descriptionOf(body.problem));
    }
    const asked = parseTokenRequest(body, headers.authorization);
    const { accessToken, scope } = await this.tokens.issue(asked, clientNetwork(request));
    return TokenResponseDto.from(accessToken, scope);
  }

  /**
   * The public keys that verify access tokens (RFC 7517).
   * @remarks The newest first, then those of tokens that are still valid.
   */
  @Get('.well-known/jwks.json')
  @Public()
  @Header('cache-control', 'public, max-age=300')
  @ApiOkResponse({ type: JwksDto })
  jwks(): JwksDto {
    return JwksDto.from(this.keys.published);
  }
}

const MAX_NAME_LENGTH = 100;
/** Characters that RFC 6749 §5.2 does not allow in a description. */
const NOT_DESCRIBABLE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

/** Names the field; characters that a description must not contain become question marks. */
function descriptionOf({ detail, errors = [] }: Problem): string {
  const [first] = errors;
  const description = first
    ? `${first.field.slice(0, MAX_NAME_LENGTH)} ${first.message}`
    : (detail ?? 'the body cannot be parsed');
  return description.replace(NOT_DESCRIBABLE, '?');
}

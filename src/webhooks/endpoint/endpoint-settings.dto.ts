import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsObject, IsPositive, IsString, Max, Matches } from 'class-validator';
import { IsOneOf } from '../../openapi/api-field.js';
import {
  Clearable,
  IsIntegerIn,
  IsObjectOf,
  IsSet,
  IsText,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import { IsWebhookSecret } from '../../shops/api/is-webhook-secret.js';
import { EndpointDto } from './endpoints.dto.js';
import type { Endpoint } from './endpoints.service.js';
import { EVENT_TYPES } from '../event-types/event-catalogue.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import {
  AUTH_TYPES,
  CLIENT_AUTHENTICATIONS,
  type ClientAuthentication,
  type EndpointAuth,
} from './auth/endpoint-auth.js';
import { ENDPOINT_FORMATS, type EndpointFormat } from './secrets/receiver.js';
import type { EndpointSettings, NewEndpoint } from './endpoint-settings.service.js';

const MAX_SHOPS = 1_000;
const MAX_PER_SECOND = 10_000;

const IsDescription = (): PropertyDecorator =>
  applyDecorators(Matches(/^\P{Cc}*$/u, { message: '$property must not have control characters' }), IsText(1, 500));

const AreShopIds = (): PropertyDecorator =>
  IsSet(
    MAX_SHOPS,
    ApiProperty({
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      isArray: true,
      minItems: 1,
      maxItems: MAX_SHOPS,
      uniqueItems: true,
    }),
    Max(Number.MAX_SAFE_INTEGER, { each: true }),
    IsPositive({ each: true }),
    IsInt({ each: true }),
  );

const AreEventTypes = (): PropertyDecorator =>
  IsSet(
    EVENT_TYPES.length,
    ApiProperty({ enum: [...EVENT_TYPES], isArray: true, minItems: 1, uniqueItems: true }),
    IsIn(EVENT_TYPES, { each: true }),
  );

/** The fields that have a value; instances of DTOs have all fields. */
const givenOf = (dto: Partial<CreateEndpointDto | UpdateEndpointDto>): Partial<EndpointSettings> =>
  Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined));

/** How the service authenticates to the endpoint. The fields of a type are required unless they are named as optional; others are refused. Secrets are never returned. */
export class EndpointAuthDto {
  /** `basic`: `username` and `password`. `bearer`: `token`. `oauth2_client_credentials`: `token_url`, `client_id`, `client_secret`, and optional `scope`, `audience`, `resource`, `client_authentication`.
   * @example 'bearer' */
  @IsOneOf('EndpointAuthType', AUTH_TYPES)
  type: EndpointAuth['type'];

  /** @example 'orders' */
  @Optional()
  @IsString()
  username?: string;

  /** @example 'a-password-for-webhooks' */
  @Optional()
  @IsString()
  password?: string;

  /** @example 'a-token-for-webhooks' */
  @Optional()
  @IsString()
  token?: string;

  /** The token endpoint, where the service gets access tokens. @example 'https://login.merchant.example/token' */
  @Optional()
  @IsWebhookEndpoint()
  token_url?: string;

  /** @example 'webhooks' */
  @Optional()
  @IsString()
  client_id?: string;

  /** @example 'a-client-secret' */
  @Optional()
  @IsString()
  client_secret?: string;

  /** @example 'events.write' */
  @Optional()
  @IsString()
  scope?: string;

  /** Sent to the token endpoint as it is: Auth0 and others require it. @example 'https://hooks.merchant.example' */
  @Optional()
  @IsString()
  audience?: string;

  /** The receiver as an absolute URI without a fragment (RFC 8707). @example 'https://hooks.merchant.example' */
  @Optional()
  @IsString()
  resource?: string;

  /** Where the token endpoint gets `client_id` and `client_secret`: form-encoded in HTTP Basic (RFC 6749, 2.3.1), the default, or in the `body`. @example 'basic' */
  @Optional()
  @IsOneOf('ClientAuthentication', CLIENT_AUTHENTICATIONS)
  client_authentication?: ClientAuthentication;
}

export class CreateEndpointDto {
  /** An absolute http(s) URL of at most 2048 characters. @example 'https://merchant.example/webhooks' */
  @IsWebhookEndpoint()
  url: string;

  /** @example 'Order service' */
  @Optional()
  @IsDescription()
  description?: string;

  /** Only events of these shops. Absent: of all shops, also of later ones, and events of no shop. @example [1] */
  @Optional()
  @AreShopIds()
  shop_ids?: number[];

  /** Only these types of events; `GET /webhooks/event-types` lists all. @example ['payment.status_changed'] */
  @Optional()
  @AreEventTypes()
  event_types?: string[] = ['payment.status_changed'];

  /** `json`: the body of the event. `slack`: a message for a chat, without a signature that can be verified there.
   * @example 'json' */
  @Optional()
  @IsOneOf('EndpointFormat', ENDPOINT_FORMATS)
  format?: EndpointFormat = 'json';

  /** Additional headers of every request, by name: at most 20, none that the service sets. Their values are never returned. @example { "X-Environment": "test" } */
  @Optional()
  @IsObject()
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers?: Record<string, string>;

  @Optional()
  @IsObjectOf(() => EndpointAuthDto)
  auth?: EndpointAuthDto;

  /** Requests per second that the endpoint gets at most. Absent: no limit of its own. @example 50 */
  @Optional()
  @IsIntegerIn(1, MAX_PER_SECOND)
  max_per_second?: number;

  /** Whether deliveries that failed for good are sent again, oldest first, when the endpoint recovers. @example true */
  @Optional()
  @IsBoolean()
  redeliver_on_recovery?: boolean = true;

  /** The secret that signs the endpoint's webhooks: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. Generated if absent.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  @Optional()
  @IsWebhookSecret()
  secret?: string;

  static toNew({ secret, ...settings }: CreateEndpointDto): NewEndpoint {
    return { settings: givenOf(settings) as NewEndpoint['settings'], secret };
  }
}

/** Omitted fields stay unchanged. */
export class UpdateEndpointDto {
  /** An absolute http(s) URL of at most 2048 characters. Pending deliveries go to the new address, too. For another origin, give present `headers` and `auth` again, or `null`. @example 'https://merchant.example/webhooks' */
  @Optional()
  @IsWebhookEndpoint()
  url?: string;

  /** `null` removes it. @example 'Order service' */
  @Clearable()
  @IsDescription()
  description?: string | null;

  /** Only events of these shops. `null`: of all shops, also of later ones, and events of no shop. @example [1] */
  @Clearable()
  @AreShopIds()
  shop_ids?: number[] | null;

  /** Only these types of events; `GET /webhooks/event-types` lists all. @example ['payment.status_changed'] */
  @Optional()
  @AreEventTypes()
  event_types?: string[];

  /** `json`: the body of the event. `slack`: a message for a chat, without a signature that can be verified there.
   * @example 'json' */
  @Optional()
  @IsOneOf('EndpointFormat', ENDPOINT_FORMATS)
  format?: EndpointFormat;

  /** Additional headers of every request, by name: at most 20, none that the service sets. Their values are never returned. They replace all; `null` removes all. @example { "X-Environment": "test" } */
  @Clearable()
  @IsObject()
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers?: Record<string, string> | null;

  /** Replaces the present one; `null` removes it. */
  @Clearable()
  @IsObjectOf(() => EndpointAuthDto)
  auth?: EndpointAuthDto | null;

  /** Requests per second that the endpoint gets at most. `null`: no limit of its own. @example 50 */
  @Clearable()
  @IsIntegerIn(1, MAX_PER_SECOND)
  max_per_second?: number | null;

  /** Whether deliveries that failed for good are sent again, oldest first, when the endpoint recovers. @example true */
  @Optional()
  @IsBoolean()
  redeliver_on_recovery?: boolean;

  static toChanges(dto: UpdateEndpointDto): Partial<EndpointSettings> {
    return givenOf(dto);
  }
}

export class CreatedEndpointDto extends EndpointDto {
  /** The secret that signs the endpoint's webhooks. @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  secret: string;

  static fromCreated(endpoint: Endpoint, secret: string): CreatedEndpointDto {
    return { ...EndpointDto.from(endpoint), secret };
  }
}

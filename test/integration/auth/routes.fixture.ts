import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Public, RequireScopes, CurrentPrincipal, type Principal } from '../../../src/access/access.js';

@Controller('things')
export class ThingsController {
  @Get()
  @RequireScopes('flows:read')
  read(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @Post()
  @RequireScopes('flows:read', 'flows:write')
  write(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @Get('public')
  @Public()
  public(): string {
    return '"public"';
  }
}

/** A public controller with one protected route. */
@Public()
@Controller('status')
export class StatusController {
  @Get()
  read(): string {
    return '"fine"';
  }

  @Get('details')
  @RequireScopes('webhooks:read')
  details(): string {
    return '"details"';
  }
}

@Controller('forgotten')
export class ForgottenController {
  @Get()
  read(): string {
    return '"secret"';
  }

  @Delete()
  @RequireScopes()
  remove(): string {
    return '"secret"';
  }

  notARoute(): string {
    return '';
  }
}

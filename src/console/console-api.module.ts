import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PeopleModule } from '../auth/clients/people.service.js';
import { ConsolePages } from './console-pages.js';
import { ConsoleSessionController } from './console-session.controller.js';
import { ConsoleSessionsService } from './console-sessions.service.js';
import { OidcController } from './oidc.controller.js';
import { OidcLogin } from './oidc-login.service.js';

/** The server part of the console: its pages, and a session in a cookie. It uses the public API for all other work. */
@Module({
  imports: [AuthModule, PeopleModule],
  controllers: [ConsoleSessionController, OidcController],
  providers: [ConsolePages, ConsoleSessionsService, OidcLogin],
})
export class ConsoleApiModule {}

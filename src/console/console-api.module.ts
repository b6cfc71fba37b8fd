import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ConsoleSessionController } from './console-session.controller.js';
import { ConsoleSessionsService } from './console-sessions.service.js';

/** What the console needs besides the public API: a session in a cookie. Its pages are served by `console-pages.ts`. */
@Module({
  imports: [AuthModule],
  controllers: [ConsoleSessionController],
  providers: [ConsoleSessionsService],
})
export class ConsoleApiModule {}

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Scope } from './scopes.js';

/** Who a request acts for, read from its verified token. */
export interface Principal {
  merchantId: number;
  clientId: string;
  scopes: readonly Scope[];
}

/** Injects the request's `Principal` into a controller method's parameter. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal => context.switchToHttp().getRequest<{ user: Principal }>().user,
);

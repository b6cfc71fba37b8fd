import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'auth:is-public';

/** The route takes no bearer token. A route with neither this nor `@RequireScopes` is refused at start. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(IS_PUBLIC, true);

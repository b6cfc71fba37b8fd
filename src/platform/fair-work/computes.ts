import { RouteConfig } from '@nestjs/platform-fastify';

/** On a route whose work is done in the fair queue: such requests do not make calculations give way, as all others do. */
export const Computes = (): MethodDecorator => RouteConfig({ computes: true });

export const computes = (config: object): boolean => 'computes' in config;

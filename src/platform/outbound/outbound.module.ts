import { Global, Module } from '@nestjs/common';
import { HostResolver, SystemHostResolver } from '../addresses/host-resolver.js';
import { OutboundApi } from './outbound-api.service.js';
import { OutboundHttp } from './outbound-http.service.js';

@Global()
@Module({
  providers: [
    OutboundHttp,
    { provide: OutboundApi, useFactory: () => new OutboundApi() },
    { provide: HostResolver, useFactory: () => new SystemHostResolver() },
  ],
  exports: [OutboundHttp, OutboundApi],
})
export class OutboundModule {}

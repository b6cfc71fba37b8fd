import { Global, Module } from '@nestjs/common';
import { HostResolver, SystemHostResolver } from '../addresses/host-resolver.js';
import { OutboundHttp } from './outbound-http.service.js';

@Global()
@Module({
  providers: [OutboundHttp, { provide: HostResolver, useFactory: () => new SystemHostResolver() }],
  exports: [OutboundHttp],
})
export class OutboundModule {}

import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { ToDoDto } from './to-do.dto.js';
import { ToDoService } from './to-do.service.js';

@ApiTags('insights')
@Controller('insights/to-do')
export class ToDoController {
  constructor(private readonly toDo: ToDoService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List work for a person, by deadline',
    description:
      'Authorisations that lapse, disputes whose evidence is due, and what does not work. `left_out` names what needs a further scope.',
  })
  @ApiSuccess(ToDoDto)
  async read(@CurrentPrincipal() { merchantId, clientId, scopes }: Principal): Promise<Success<ToDoDto>> {
    return success(ToDoDto.from(await this.toDo.of(merchantId, clientId), scopes));
  }
}

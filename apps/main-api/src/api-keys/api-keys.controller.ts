import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, AnyKey, InTenant, Returns, type ActingCaller } from '@libs/http';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyView } from './dto/api-key.view.js';

@ApiTags('API keys')
@Controller('tenants/:tenant_id/api_keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** Reads the calling key: a way to validate it and to see its scope. Never 403. */
  @Get('context')
  @AnyKey()
  @InTenant()
  @Returns(ApiKeyView)
  context(@Actor() actor: ActingCaller): Promise<ApiKeyView> {
    return this.keys.context(actor);
  }
}

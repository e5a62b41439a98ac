import { Body, Post } from '@nestjs/common';
import { Actor, KeepsNoAnswer, Returns, Routes, SESSION, WritesUnaudited, type ActingCaller } from '@libs/http';
import { CreateSupervisorTokenDto } from './dto/create-supervisor-token.dto.js';
import { SupervisorTokenView } from './dto/supervisor-token.view.js';
import { SupervisorTokensService } from './supervisor-tokens.service.js';

@Routes('tenants/:tenant_id/supervisor_tokens', 'Supervisor tokens')
export class SupervisorTokensController {
  constructor(private readonly tokens: SupervisorTokensService) {}

  /**
   * Creates a token with which a page in a browser calls one Supervisor for 15 minutes, with what the user holds in the
   * tenant at each request. The token ends with the session, with the membership and with a change of the password. It
   * opens only that Supervisor, is no API key, and counts against no limit of the plan.
   */
  @Post()
  @WritesUnaudited(SESSION, 'a token creates and changes nothing')
  @KeepsNoAnswer()
  @Returns(SupervisorTokenView)
  create(@Actor() actor: ActingCaller, @Body() dto: CreateSupervisorTokenDto): Promise<SupervisorTokenView> {
    return this.tokens.create(actor, dto);
  }
}

import { Body, Get, Put } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import {
  Actor,
  FailsWith,
  Prepared,
  PreparesFirst,
  Reads,
  Routes,
  UNVERIFIED_SESSION,
  WritesUnaudited,
  type ActingCaller,
} from '@libs/http';
import { AccountService } from './account.service.js';
import { Client, type ClientFacts } from './client.decorator.js';
import { AccountTenantView, AccountView } from './dto/account.view.js';
import { ChangePasswordDto } from './dto/password.dto.js';
import { AccountSettingsDto } from './dto/settings.dto.js';

const OF_A_PERSON = 'it concerns a person, and no tenant';

@ApiExtraModels(AccountTenantView)
@Routes('account', 'Account')
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

  /** Reads the signed-in user and the tenants of the user. */
  @Get()
  @Reads(UNVERIFIED_SESSION, AccountView)
  get(@Actor() actor: ActingCaller): Promise<AccountView> {
    return this.accounts.get(actor);
  }

  /** Changes your name. */
  @Put('settings')
  @WritesUnaudited(UNVERIFIED_SESSION, OF_A_PERSON)
  update(@Actor() actor: ActingCaller, @Body() dto: AccountSettingsDto): Promise<void> {
    return this.accounts.update(actor, dto);
  }

  /** Changes your password, and ends all your other sessions. Wrong passwords count like those at sign-in. */
  @Put('password')
  @WritesUnaudited(UNVERIFIED_SESSION, OF_A_PERSON)
  @PreparesFirst()
  @FailsWith('invalid_credentials', 'service_busy')
  changePassword(
    @Actor() actor: ActingCaller,
    @Body() dto: ChangePasswordDto,
    @Client() client: ClientFacts,
  ): Promise<Prepared<void>> {
    return this.accounts.changePassword(actor, dto, client);
  }
}

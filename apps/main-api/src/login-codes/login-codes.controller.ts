import { Body, Post } from '@nestjs/common';
import {
  Actor,
  Creates,
  everybody,
  FailsWith,
  LocatedAt,
  Returns,
  Routes,
  WithinPlan,
  Writes,
  WritesUnaudited,
  type ActingCaller,
} from '@libs/http';
import type { Written } from '@libs/domain';
import { CreateLoginCodeDto, RedeemLoginCodeDto } from './dto/login-code.dto.js';
import { LoginCodeView, RedeemedKeyView } from './dto/login-code.view.js';
import { LoginCodes } from './login-codes.js';

@Routes('/', 'API keys')
export class LoginCodesController {
  constructor(private readonly codes: LoginCodes) {}

  /**
   * Creates a key for a command line on this computer: for 90 days, with all permissions of the caller. The answer has
   * no secret, but a code for the key. The code works once and for two minutes, and only for the program that knows the
   * `code_verifier`.
   */
  @Post('tenants/:tenant_id/login_codes')
  @Writes('api_key:manage', 'api_key_created')
  @Creates(LoginCodeView, 'api-key')
  @LocatedAt('/tenants/:tenant_id/api_keys/:api-key')
  @WithinPlan('api_keys_limit')
  @FailsWith('division_not_found')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateLoginCodeDto): Promise<Written<LoginCodeView>> {
    return this.codes.create(actor, dto);
  }

  /** Exchanges a code for the secret of its key. Only this response contains the secret. */
  @Post('login_codes/redeem')
  @WritesUnaudited(
    everybody('the code and its verifier are what opens it', { limited: true }),
    'the key was recorded at its creation',
  )
  @Returns(RedeemedKeyView)
  @FailsWith('login_code_invalid')
  redeem(@Body() dto: RedeemLoginCodeDto): Promise<RedeemedKeyView> {
    return this.codes.redeem(dto);
  }
}

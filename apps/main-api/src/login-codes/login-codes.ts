import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, Written } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { LoginCodesRepository } from '@libs/persistence/organization';
import { ApiKeyIssuance } from '../api-keys/index.js';
import type { CreateLoginCodeDto, RedeemLoginCodeDto } from './dto/login-code.dto.js';
import type { LoginCodeView, RedeemedKeyView } from './dto/login-code.view.js';

const VALID_SECONDS = 120;
const KEY_DAYS = 90;
const DAY_MS = 86_400_000;
const CODE_BYTES = 32;

/** The login of a command line by browser: the authorization code with PKCE, whose result is an API key. */
@Injectable()
export class LoginCodes {
  constructor(
    private readonly issuance: ApiKeyIssuance,
    private readonly codes: LoginCodesRepository,
  ) {}

  /**
   * Creates a key with all permissions of the caller, for 90 days, and a code for the key. The key has no secret before
   * somebody redeems the code, so no secret is stored.
   * @throws DomainError plan_limit_reached, division_not_found
   */
  async create(actor: ActingCaller, dto: CreateLoginCodeDto): Promise<Written<LoginCodeView>> {
    const { id } = await this.issuance.createWithoutSecret(actor, dto.name, new Date(Date.now() + KEY_DAYS * DAY_MS));
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = await this.codes.insert({
      api_key_id: id,
      code_hash: hash(code),
      code_challenge: dto.code_challenge,
      redirect_uri: dto.redirect_uri,
      validSeconds: VALID_SECONDS,
    });
    const redirect_to = `${dto.redirect_uri}?${new URLSearchParams({ code, state: dto.state }).toString()}`;
    return new Written({ api_key_id: id, redirect_to, expires_at: expiresAt.toISOString() }, { 'api-key': id });
  }

  /**
   * The verifier shows that the caller is the program that asked for the code.
   * @throws DomainError login_code_invalid
   */
  async redeem({ code, code_verifier, redirect_uri }: RedeemLoginCodeDto): Promise<RedeemedKeyView> {
    const key = await this.codes.useUnscoped({
      code_hash: hash(code),
      code_challenge: hash(code_verifier).toString('base64url'),
      redirect_uri,
    });
    if (!key)
      throw new DomainError(
        'login_code_invalid',
        'The code is wrong, has expired or was used before, or is not yours.',
      );
    return { ...(await this.issuance.giveSecret(key.tenant_id, key.id)), tenant_id: key.tenant_id };
  }
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

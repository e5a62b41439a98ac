import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Actor,
  Creates,
  FailsWith,
  IfMatch,
  KEY_ONLY,
  Lists,
  PathId,
  Reads,
  Returns,
  Routes,
  WithinPlan,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written, type ApiKeyId } from '@libs/domain';
import { ApiKeyIssuance } from './api-key-issuance.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyItem, ApiKeyView, ApiKeyWithSecretView } from './dto/api-key.view.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { ListApiKeysQuery } from './dto/list-api-keys.query.js';
import { RestrictApiKeyDto } from './dto/restrict-api-key.dto.js';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';

@Routes('tenants/:tenant_id/api_keys', 'API keys', { api_key_id: 'An API key of the tenant.' })
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly issuance: ApiKeyIssuance,
  ) {}

  /**
   * Creates a key. Only this response contains the secret. A caller cannot grant permissions that the caller does not
   * hold.
   */
  @Post()
  @Writes('api_key:manage', 'api_key_created')
  @Creates(ApiKeyWithSecretView, 'api-key')
  @WithinPlan('api_keys_limit', 'api_key_allowed_ips_limit', 'divisions_per_role_limit')
  @FailsWith('role_not_found', 'division_not_found', 'environment_not_found')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateApiKeyDto): Promise<Written<ApiKeyWithSecretView>> {
    return this.issuance.create(actor, dto);
  }

  /** Lists the keys of the tenant. A key of a division sees the keys of that division. */
  @Get()
  @Lists('api_key:read', ApiKeyItem)
  list(@Actor() actor: ActingCaller, @Query() query: ListApiKeysQuery): Promise<Page<ApiKeyItem>> {
    return this.keys.list(actor, query);
  }

  /** Reads the calling key. Use this request to validate a key and to see its scope. The response is never 403. */
  @Get('context')
  @Reads(KEY_ONLY, ApiKeyView)
  context(@Actor() actor: ActingCaller): Promise<ApiKeyView> {
    return this.keys.callingKey(actor);
  }

  /** Reads one key with its permissions. */
  @Get(':api_key_id')
  @Reads('api_key:read', ApiKeyView)
  get(@Actor() actor: ActingCaller, @PathId() id: ApiKeyId): Promise<ApiKeyView> {
    return this.keys.get(actor, id);
  }

  /**
   * Restricts a key to IP addresses, or removes the restriction. A caller who allows more addresses for another user's
   * key needs all permissions of the key and becomes its owner.
   */
  @Put(':api_key_id/security')
  @WritesWhenChanged('api_key:manage', 'api_key_updated')
  @WithinPlan('api_key_allowed_ips_limit')
  restrict(
    @Actor() actor: ActingCaller,
    @PathId() id: ApiKeyId,
    @Body() dto: RestrictApiKeyDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.keys.restrict(actor, id, dto, precondition);
  }

  /**
   * Replaces the secret of a key. Both secrets work for `overlap_seconds`. Role, scope and expiry stay unchanged. The
   * caller needs all permissions of the key and becomes the owner of the key. An expired key cannot be rotated.
   * Of several rotations at the same time, one takes place, and the others get 409. The previous secret of a key rotates it no more.
   */
  @Post(':api_key_id/rotate')
  @Writes('api_key:manage', 'api_key_rotated')
  @Returns(ApiKeyWithSecretView, 'api-key')
  @FailsWith('state_conflict')
  rotate(
    @Actor() actor: ActingCaller,
    @PathId() id: ApiKeyId,
    @Body() dto: RotateApiKeyDto,
  ): Promise<Written<ApiKeyWithSecretView>> {
    return this.issuance.rotate(actor, id, dto);
  }

  /**
   * Deletes a key. The key stops working at once in both APIs, and streams that it opened end. Allowed callers: the
   * owner of the key and the owner of the tenant, both by session, and every caller who holds all permissions of the
   * key.
   */
  @Delete(':api_key_id')
  @Writes('api_key:manage', 'api_key_deleted')
  delete(@Actor() actor: ActingCaller, @PathId() id: ApiKeyId, @IfMatch() precondition: Precondition): Promise<void> {
    return this.keys.delete(actor, id, precondition);
  }
}

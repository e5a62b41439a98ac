import { Injectable } from '@nestjs/common';
import { DomainError, validationFailed, type FieldIssue, type UserId } from '@libs/domain';
import { requireInScope, requirePermission, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { MembersRepository, ProtectionCodesRepository, type ProtectedResource } from '@libs/persistence/organization';
import { Mailbox, MailedCallers } from '../mail/index.js';
import { codeMail } from './code-mail.js';
import type { ActionPayloadDto, ProtectedActionDto } from './dto/request-code.dto.js';
import { PROTECTED_ACTIONS, type ActionType, type ResourceIdName, type ProtectedAction } from './protected-action.js';
import { hashedCode, newCode } from './protection-code.js';

const VALID_SECONDS = 600;
const PAUSE_SECONDS = 60;

/** Mails one-time codes for protected resources. */
@Injectable()
export class ProtectionCodesService {
  constructor(
    private readonly codes: ProtectionCodesRepository,
    private readonly members: MembersRepository,
    private readonly mailbox: Mailbox,
    private readonly callers: MailedCallers,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Mails a code to the organization. Requires the permission of the action on the resource in the payload: 404 outside of
   * what the caller may see, 403 inside.
   * @throws DomainError validation_failed, code_already_requested, insufficient_permissions, …_not_found
   */
  async request(actor: ActingCaller, { action_type: actionType, payload }: ProtectedActionDto): Promise<void> {
    const action: ProtectedAction = PROTECTED_ACTIONS[actionType];
    requireExactly(payload, action.isForMember ? [...action.ids, 'member_id'] : action.ids);
    const resource = await this.resource(actor, actionType, payload);
    if (action.isOwners) requireOwner(actor, resource);
    if (action.isForMember) await this.requireMember(actor, payload.member_id);
    const subject = { actionType, resourceId: resourceOf(actionType, payload), memberId: payload.member_id };
    const code = newCode();
    const stored = { ...subject, tenantId: actor.tenantId, ...hashedCode(subject, code) };
    const expiresAt = await this.codes.request(stored, VALID_SECONDS, PAUSE_SECONDS);
    if (!expiresAt) throw await this.tooSoon(subject);
    const to = action.isOwners ? resource.owner.email : resource.address;
    const asker = await this.callers.wordsOf(actor);
    await this.mailbox.post(codeMail(actionType, resource, { to, code, expiresAt, asker }));
    const { division, environment, deployment } = resource;
    await this.ledger.record({
      audit: 'protection_code_requested',
      author: actor.author,
      context: { tenantId: actor.tenantId, division, environment, deployment },
      data: { action_type: actionType },
      traceId: actor.traceId,
    });
  }

  /** Returns the resource and its parents. */
  private async resource(actor: ActingCaller, type: ActionType, payload: ActionPayloadDto): Promise<ProtectedResource> {
    const { caller } = actor;
    const ids = {
      divisionId: payload.division_id ?? null,
      environmentId: payload.environment_id ?? null,
      deploymentId: payload.deployment_id ?? null,
    };
    const resource = await this.codes.resource(actor.tenantId, ids);
    if (!resource) throw new DomainError('tenant_not_found', 'No such tenant.');
    const { division, environment } = resource;
    const deployment = resource.deployment && { ...resource.deployment, cell: '', supervisorUrl: null };
    const ancestry = { division, environment, deployment };
    requireInScope(caller, { tenantId: payload.tenant_id, ...ids }, ancestry);
    const { permission } = PROTECTED_ACTIONS[type];
    requirePermission({ kind: 'permission', permission, anywhere: false }, caller, ancestry);
    return resource;
  }

  private async requireMember({ tenantId }: ActingCaller, id: UserId | undefined): Promise<void> {
    if (await this.members.find({ tenantId, divisionScope: null }, id ?? 0)) return;
    throw new DomainError('member_not_found', 'No such member.');
  }

  private async tooSoon({ actionType, resourceId }: { actionType: ActionType; resourceId: number }) {
    const seconds = Math.ceil(await this.codes.secondsToWaitUnscoped(actionType, resourceId, PAUSE_SECONDS));
    return new DomainError('code_already_requested', 'A code was mailed less than a minute ago.', {
      retryAfterSeconds: seconds,
    });
  }
}

/** Returns the id of the resource itself: the last one of the payload. */
const resourceOf = (type: ActionType, payload: ActionPayloadDto): number =>
  payload[PROTECTED_ACTIONS[type].ids.at(-1) as ResourceIdName] ?? 0;

/** @throws DomainError api_key_not_allowed, not_tenant_owner */
function requireOwner({ caller }: ActingCaller, { owner }: ProtectedResource): void {
  if (caller.key) throw new DomainError('api_key_not_allowed', 'Sign in: the owner requests this code with a session.');
  if (caller.user.id !== owner.id) throw new DomainError('not_tenant_owner', 'Only the owner can request this code.');
}

/** @throws DomainError validation_failed naming each id that is missing, or that the action does not have */
function requireExactly(payload: ActionPayloadDto, names: readonly (keyof ActionPayloadDto)[]): void {
  const sentNames = (Object.keys(payload) as (keyof ActionPayloadDto)[]).filter(
    (name) => (payload[name] ?? null) !== null,
  );
  const issue = (name: keyof ActionPayloadDto, code: string, reason: string): FieldIssue => ({
    path: `/action/payload/${name}`,
    code,
    reason,
  });
  const issues = [
    ...names.filter((name) => !sentNames.includes(name)).map((name) => issue(name, 'required', 'is missing')),
    ...sentNames
      .filter((name) => !names.includes(name))
      .map((name) => issue(name, 'unknown_field', 'is not a member of the payload of this action')),
  ];
  if (issues.length > 0) throw validationFailed(issues);
}

import type { Member } from '@libs/persistence/organization';
import type { MemberView } from './dto/member.view.js';

export const toMemberView = (member: Member): MemberView => ({
  id: member.id,
  email: member.email,
  name: member.name,
  active: member.active,
  owner: member.owner,
  division_id: member.division_id,
  roles: member.roles,
  created_at: member.created_at.toISOString(),
});

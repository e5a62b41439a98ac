export { MemberView, NamedRoleView } from './dto/member.view.js';
export { Enrolment } from './enrolment.js';
export { InvitationWithdrawal } from './invitation-withdrawal.js';
export { MembersModule } from './members.module.js';
export { requireAnother } from './require-another.js';
export { requireNoOwnerRole, RoleGrants } from './role-grants.js';
export { toMemberView } from './to-member-view.js';

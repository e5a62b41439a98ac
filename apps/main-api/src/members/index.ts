export { MemberView, NamedRoleView } from './dto/member.view.js';
export { Enrolment } from './enrolment.js';
export { MembersModule } from './members.module.js';
export { RoleGrants } from './role-grants.js';
export { toMemberView } from './to-member-view.js';

export { RolePermissions } from './role-permissions.js';
export { RolesModule } from './roles.module.js';

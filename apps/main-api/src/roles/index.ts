export { PERMISSION_TREE } from './dto/role.view.js';
export { RolePermissions } from './role-permissions.js';
export { RolesModule } from './roles.module.js';

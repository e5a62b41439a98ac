import { APP_NAMES, built, loadApp } from './apps.mjs';
import { routesOf } from '../../test/architecture/sources/route-walk.mjs';

/** Permissions by role and by route, so that a change of security shows as a diff. */
export async function permissionFiles() {
  const lines = [...(await rolesByPermission()), ''];
  for (const name of APP_NAMES) lines.push(...(await permissionsByRoute(await loadApp(name))), '');
  return { 'permissions.txt': lines.join('\n') };
}

async function rolesByPermission() {
  const { ALL_PERMISSIONS, PERMISSIONS, SYSTEM_ROLES, SYSTEM_ROLE_TREES } = await built('libs/domain/src/index.js');
  const width = Math.max(...ALL_PERMISSIONS.map((name) => name.length));
  const tick = (role, name) => (SYSTEM_ROLE_TREES[role].tenant.includes(name) ? 'x' : '-').padEnd(role.length);
  return [
    `# roles`,
    `${'permission'.padEnd(width)}  ${SYSTEM_ROLES.join('  ')}  groups`,
    ...ALL_PERMISSIONS.map(
      (name) =>
        `${name.padEnd(width)}  ${SYSTEM_ROLES.map((role) => tick(role, name)).join('  ')}  ${PERMISSIONS[name].groups.join(', ')}`,
    ),
  ];
}

async function permissionsByRoute({ name, module }) {
  const { ACCESS } = await built('libs/http/src/index.js');
  const routes = routesOf(module).map(({ method, path, handler }) => ({
    route: `${method.padEnd(6)} ${path}`,
    who: inWords(Reflect.getMetadata(ACCESS, handler)),
    path,
  }));
  const width = Math.max(...routes.map(({ route }) => route.length));
  routes.sort((a, b) => (a.path === b.path ? compare(a.route, b.route) : compare(a.path, b.path)));
  return [`# routes of ${name}`, ...routes.map(({ route, who }) => `${route.padEnd(width)}  ${who}`)];
}

function inWords(rule) {
  if (!rule) return 'NOBODY (access is not declared)';
  if (rule.kind === 'public') return `anyone: ${rule.reason}`;
  if (rule.kind !== 'permission') return rule.kind.replaceAll('_', ' ');
  return rule.anywhere ? `${rule.permission} (anywhere)` : rule.permission;
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

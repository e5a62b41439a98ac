// All routes of an app, read from the metadata of its modules without a start of the app.
import 'reflect-metadata';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'ALL', 'OPTIONS', 'HEAD', 'SEARCH'];

/** All routes reachable from a module class or dynamic module: { method, path, controller, name, handler }. */
export function routesOf(rootModule) {
  return [...controllersOf(rootModule)].flatMap(routesOfController);
}

/** All controllers reachable from a module, each once. */
export const controllersOf = (rootModule) => listedIn(rootModule, 'controllers');

/** All classes of providers reachable from a module, each once. */
export function providersOf(rootModule) {
  const classes = [...listedIn(rootModule, 'providers')].map((provider) => provider.useClass ?? provider);
  return new Set(classes.filter((provider) => typeof provider === 'function'));
}

/** Everything that modules list under a key of their metadata, each once. */
function listedIn(rootModule, list, seen = new Set(), found = new Set()) {
  const module = rootModule?.forwardRef?.() ?? rootModule;
  if (!module || seen.has(module)) return found;
  seen.add(module);
  const type = module.module ?? module;
  const both = (key) => [...(Reflect.getMetadata(key, type) ?? []), ...(module.module ? (module[key] ?? []) : [])];
  for (const entry of both(list)) found.add(entry);
  for (const imported of both('imports')) listedIn(imported, list, seen, found);
  return found;
}

function routesOfController(controller) {
  const prefixes = [Reflect.getMetadata('path', controller) ?? ''].flat();
  const names = Object.getOwnPropertyNames(controller.prototype).filter((name) => name !== 'constructor');
  return names.flatMap((name) => {
    const handler = controller.prototype[name];
    const path = typeof handler === 'function' ? Reflect.getMetadata('path', handler) : undefined;
    if (path === undefined) return [];
    const method = METHODS[Reflect.getMetadata('method', handler)];
    return prefixes.flatMap((prefix) =>
      [path].flat().map((own) => ({ method, path: joined(prefix, own), controller, name, handler })),
    );
  });
}

// A path escapes a literal colon only in its declaration.
const joined = (...parts) =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')
    .replaceAll('\\:', ':')}`;

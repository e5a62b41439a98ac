import type { Request } from 'express';

interface RouterLayer {
  match(path: string): boolean;
  route?: { path: string; methods: Record<string, boolean> };
}

/**
 * The methods under which the path of a request is served, from Express' own table of routes. A word in a path wins over a
 * parameter: what `/roles/{role_id}` answers is not said of `/roles/permissions`.
 */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: RouterLayer[] } }).router;
  const routes = stack.flatMap((layer) => (layer.route && layer.match(request.path) ? [layer.route] : []));
  const fewest = Math.min(...routes.map(parametersOf));
  const methods = routes
    .filter((route) => parametersOf(route) === fewest)
    .flatMap((route) => Object.keys(route.methods));
  return [...new Set(methods.map((method) => method.toUpperCase()))].filter((method) => method !== '_ALL').sort();
}

const parametersOf = ({ path }: { path: string }): number => path.split('/:').length;

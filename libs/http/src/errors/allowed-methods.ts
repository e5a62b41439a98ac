import type { Request } from 'express';

interface RouterLayer {
  match(path: string): boolean;
  route?: { path: string; methods: Record<string, boolean> };
}

/**
 * Returns the methods that the path of a request supports, from the route table of Express. A literal segment has
 * priority over a parameter: the methods of `/roles/{role_id}` do not count for `/roles/permissions`.
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

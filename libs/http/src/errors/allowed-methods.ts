import type { Request } from 'express';

interface RouterLayer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** The methods under which the path of a request is served, from Express' own table of routes. */
export function allowedMethods(request: Request): string[] {
  const { stack } = (request.app as unknown as { router: { stack: RouterLayer[] } }).router;
  const methods = stack.flatMap((layer) =>
    layer.route && layer.match(request.path) ? Object.keys(layer.route.methods) : [],
  );
  return [...new Set(methods.map((method) => method.toUpperCase()))].filter((method) => method !== '_ALL').sort();
}

import { Controller, SetMetadata, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import { ApiExcludeController, ApiTags } from '@nestjs/swagger';
import { ACCESS, type AccessRule } from '../access/access.decorator.js';
import { NoContent } from '../answers/answers.decorator.js';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { TakesIdempotencyKey } from '../writes/writes.decorator.js';
import { AUDITED, KEEPS_NO_ANSWER } from '../writes/writes.metadata.js';
import { declareLocation } from './location.js';
import { declarePath, type PathParameters } from './path-parameters.js';
import { Route, RouteFault } from './route.js';

/** Marks a controller whose routes are complete. */
export const ROUTES = Symbol('landlord.routes');

/**
 * A controller with its paths and its tag in the API description; null: the description does not have the routes. Adds to each route
 * what its path and its other declarations imply: the parameters with their errors, the idempotency key of a write, the location of
 * what it creates, and 204 for a write that states no answer.
 * @throws RouteFault for a route that says too little, or that contradicts its path
 */
export const Routes =
  (paths: string | string[], tag: string | null, parameters: PathParameters = {}) =>
  (controller: Type): void => {
    Controller(paths)(controller);
    (tag === null ? ApiExcludeController() : ApiTags(tag))(controller);
    SetMetadata(ROUTES, true)(controller);
    const routes = Route.allOf(controller, [paths].flat());
    const used = routes.flatMap((route) => route.parameters);
    const unused = Object.keys(parameters).filter((name) => !used.includes(name));
    if (unused.length > 0) throw new RouteFault(`no path of ${controller.name} has ${unused.join(', ')}`);
    for (const route of routes) {
      requireDeclared(route);
      // Every route refuses unknown members of the query.
      route.declare(FailsWith('validation_failed'));
      declarePath(route, parameters);
      declareLocation(route, routes);
      if (!route.isRead) completeWrite(route);
    }
  };

function requireDeclared(route: Route): void {
  if (!route.read(ACCESS)) throw route.fault('does not say who may call it');
  const mayRecord = route.read(AUDITED) !== undefined;
  if (route.isRead && mayRecord) throw route.fault('is a read, which records nothing');
  if (!route.isRead && !mayRecord) throw route.fault('does not say what it records');
}

function completeWrite(route: Route): void {
  if (route.read(HTTP_CODE_METADATA) === undefined) route.declare(NoContent());
  // Callers without credentials would share their keys. A DELETE can be repeated without one.
  const isKeyed = !route.isDelete && route.read<AccessRule>(ACCESS)?.kind !== 'public' && !route.read(KEEPS_NO_ANSWER);
  if (isKeyed) route.declare(TakesIdempotencyKey());
}

import { applyDecorators, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { DomainError, ERRORS, parseId, type ErrorCode } from '@libs/domain';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { idParameter, InTenant, OfDeployment } from './in-tenant.decorator.js';

/** What a path names below the tenant by `<name>_id`; what is not found is `<name>_not_found`. */
type Resource = { [Code in ErrorCode]: Code extends `${infer Name}_not_found` ? Name : never }[ErrorCode];

/** Documents the id of a thing of the tenant in the path. Handlers take it by `PathId`. */
export const OfTenant = (name: Resource, description: string): MethodDecorator =>
  applyDecorators(InTenant(), idParameter(`${name}_id`, description), FailsWith(`${name}_not_found`));

/** Documents the id of a thing of the deployment in the path; for the Supervisor. */
export const OfTheDeployment = (name: Resource, description: string): MethodDecorator =>
  applyDecorators(OfDeployment(), idParameter(`${name}_id`, description), FailsWith(`${name}_not_found`));

/** The id in the path. What cannot be an id names nothing: 404 (C-1.2). */
export const PathId = (name: `${Resource}_id`): ParameterDecorator =>
  Param(name, new PathIdPipe(`${name.slice(0, -'_id'.length)}_not_found` as ErrorCode));

@Injectable()
class PathIdPipe implements PipeTransform<string, number> {
  constructor(private readonly code: ErrorCode) {}

  transform(text: string): number {
    const id = parseId(text);
    if (id === null) throw new DomainError(this.code, `${ERRORS[this.code].title}.`);
    return id;
  }
}

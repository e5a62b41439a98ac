import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { LIMITS, type FeatureFlag, type LimitName } from '@libs/domain';
import { FailsWith } from '../errors/fails-with.decorator.js';

export const PLAN = Symbol('landlord.plan');

/** What of a plan (C-10.2 to C-10.4) a route can meet: its limits, its flags, the counts per compute size. */
export type PlanTerm = LimitName | FeatureFlag | 'deployment_tiers';

/** Declares which terms of the plan the route holds its caller to; the golden table of limits is made of it. */
export const WithinPlan = (...terms: PlanTerm[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(PLAN, terms),
    ApiExtension('x-plan', terms),
    ...(terms.some(isCounted) ? [FailsWith('plan_limit_reached')] : []),
    ...(terms.some((term) => term.endsWith('_enabled')) ? [FailsWith('plan_feature_required')] : []),
  );

/** A number of days refuses nothing: it hides what is older. */
const isCounted = (term: PlanTerm): boolean =>
  term === 'deployment_tiers' || ((LIMITS as readonly string[]).includes(term) && !term.endsWith('_days'));

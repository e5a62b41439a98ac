import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { LIMITS, type FeatureFlag, type LimitName } from '@libs/domain';
import { FailsWith } from '../errors/fails-with.decorator.js';

export const PLAN = Symbol('landlord.plan');

/** A term of a plan (C-10.2 to C-10.4) that a route can check: its limits, its flags, the counts per compute size. */
export type PlanTerm = LimitName | FeatureFlag | 'deployment_tiers';

/** Declares the terms of the plan that the route enforces. The golden table of limits is generated from it. */
export const WithinPlan = (...terms: PlanTerm[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(PLAN, terms),
    ApiExtension('x-plan', terms),
    ...(terms.some(isCounted) ? [FailsWith('plan_limit_reached')] : []),
    ...(terms.some((term) => term.endsWith('_enabled')) ? [FailsWith('plan_feature_required')] : []),
  );

/** A limit in days refuses no request: it hides older data. */
const isCounted = (term: PlanTerm): boolean =>
  term === 'deployment_tiers' || ((LIMITS as readonly string[]).includes(term) && !term.endsWith('_days'));

import { Inject, Injectable } from '@nestjs/common';
import type { Workflow } from '@libs/workflow';

/** Injection token of the workflows. */
export const WORKFLOWS = Symbol('landlord.workflows');

/** Every workflow of this cell, by the type of its operations. */
@Injectable()
export class LifecycleWorkflows {
  readonly byType: ReadonlyMap<string, Workflow>;

  constructor(@Inject(WORKFLOWS) workflows: readonly Workflow[]) {
    this.byType = new Map(workflows.map((workflow) => [workflow.type, workflow]));
  }
}
